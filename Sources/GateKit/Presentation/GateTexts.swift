import GateModel

/// The words of GateKit's own screens that do not come from a feed. The app can replace each of them.
public struct GateTexts: Sendable, Hashable {
    /// Above a kill switch or a blocking alert.
    public var blockedTitle: String
    /// Shown when the feed has no text; so are the two other messages.
    public var blockedMessage: String
    /// Above an update that nobody gets around.
    public var requiredTitle: String
    public var requiredMessage: String
    /// Above an update that is offered.
    public var optionalTitle: String
    public var optionalMessage: String
    /// Opens the store.
    public var update: String
    /// Dismisses an offered update.
    public var later: String
    /// Dismisses an alert.
    public var ok: String
    /// Polls the feed again.
    public var tryAgain: String

    /// The available languages.
    public static let languages = ["de", "en", "es", "fr", "ja"]

    /// The words for somebody who reads these languages, the most wanted first; English if none is available.
    public static func of(_ languages: [String]) -> GateTexts { all[LanguageLookup.best(of: all.keys, for: languages) ?? "en"] ?? english }

    public static let english = GateTexts(
        blockedTitle: "Not available",
        blockedMessage: "The app is not available just now. Please try again later.",
        requiredTitle: "Update required",
        requiredMessage: "This version can no longer be used. Please update the app.",
        optionalTitle: "Update available",
        optionalMessage: "A new version of the app is available.",
        update: "Update",
        later: "Not now",
        ok: "OK",
        tryAgain: "Try again"
    )

    private static let all: [String: GateTexts] = [
        "en": english,
        "de": GateTexts(
            blockedTitle: "Nicht verfügbar",
            blockedMessage: "Die App ist gerade nicht verfügbar. Bitte versuchen Sie es später noch einmal.",
            requiredTitle: "Update erforderlich",
            requiredMessage: "Diese Version kann nicht mehr verwendet werden. Bitte aktualisieren Sie die App.",
            optionalTitle: "Update verfügbar",
            optionalMessage: "Eine neue Version der App ist verfügbar.",
            update: "Aktualisieren",
            later: "Nicht jetzt",
            ok: "OK",
            tryAgain: "Erneut versuchen"
        ),
        "fr": GateTexts(
            blockedTitle: "Indisponible",
            blockedMessage: "L’application est momentanément indisponible. Veuillez réessayer plus tard.",
            requiredTitle: "Mise à jour requise",
            requiredMessage: "Cette version ne peut plus être utilisée. Veuillez mettre l’application à jour.",
            optionalTitle: "Mise à jour disponible",
            optionalMessage: "Une nouvelle version de l’application est disponible.",
            update: "Mettre à jour",
            later: "Pas maintenant",
            ok: "OK",
            tryAgain: "Réessayer"
        ),
        "es": GateTexts(
            blockedTitle: "No disponible",
            blockedMessage: "La aplicación no está disponible en este momento. Inténtelo de nuevo más tarde.",
            requiredTitle: "Actualización necesaria",
            requiredMessage: "Esta versión ya no se puede usar. Actualice la aplicación.",
            optionalTitle: "Actualización disponible",
            optionalMessage: "Hay una nueva versión de la aplicación.",
            update: "Actualizar",
            later: "Ahora no",
            ok: "Aceptar",
            tryAgain: "Reintentar"
        ),
        "ja": GateTexts(
            blockedTitle: "ご利用いただけません",
            blockedMessage: "現在アプリをご利用いただけません。しばらくしてからもう一度お試しください。",
            requiredTitle: "アップデートが必要です",
            requiredMessage: "このバージョンはご利用いただけなくなりました。アプリをアップデートしてください。",
            optionalTitle: "アップデートがあります",
            optionalMessage: "アプリの新しいバージョンを利用できます。",
            update: "アップデート",
            later: "今はしない",
            ok: "OK",
            tryAgain: "再試行"
        ),
    ]
}
