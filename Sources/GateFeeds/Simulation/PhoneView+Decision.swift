import GateModel

/// A decision as the person with the phone sees it: the texts of the dialogs are the libraries' own, in English (wire formats 1.3, 2.4,
/// 3.3, 4.2).
extension PhoneView {
    /// - Parameter rule: the gate's rule from which the decision follows.
    init(_ decision: ClientDecision, rule: Rule?, on phone: SimulatedPhone, target: Target) {
        self.init(outcome: .open, rule: rule, presentation: .none, detail: "")
        let library = phone.library
        switch decision {
        case .proceed:
            detail = target.gate == .open ? "Shows nothing: no rule is in force." : "Shows nothing: version \(phone.version) gets in."
        case .killed(let text, let seconds):
            screen(.blocked, text, seconds)
            let why = target.gate.forceUpdate == nil ? ": forced update is off" : ""
            detail = "Shows the block\(why). The phone asks again every \(Int(seconds)) s."
        case .forced(let text, let seconds):
            screen(.updateRequired, text, seconds)
            detail = "Shows the forced update, whatever the version. The phone asks again every \(Int(seconds)) s."
        case .requiredUpdate(let version, let text):
            let below = "version \(phone.version) is below \(version)\(Self.order(library))"
            show(
                .updateRequired,
                library,
                title: "Update required",
                text,
                launchgate: ["Update"],
                gandalf: ["Download update", "Close app"]
            )
            detail = (rule == .forceUpdate ? "Shows the forced update as a required one: " : "Shows the required update: ") + below + "."
        case .optionalUpdate(let version, let text):
            show(
                .updateOffered,
                library,
                title: "Update available",
                text,
                launchgate: ["Dismiss", "Update"],
                gandalf: ["Download update", "Skip update", "Close app"]
            )
            detail = "Offers the update, once: version \(phone.version) is below \(version)\(Self.order(library))."
        case .alert(let text, blocking: true):
            show(.blocked, library, title: "Alert", text, launchgate: [], gandalf: ["Close app"])
            detail =
                (rule == .killSwitch
                    ? "Shows the block as an alert that cannot be dismissed." : "Shows the alert, which cannot be dismissed.")
                + " It stays up after you open, until the app is restarted."
        case .alert(let text, blocking: false):
            show(.notice, library, title: "Alert", text, launchgate: ["Dismiss"], gandalf: ["OK"])
            detail = "Shows the alert, once for this text."
        case .failed(let reason):
            outcome = .failed
            detail = "Cannot use the feed (\(reason)): version \(phone.version) gets in."
        case .stuck(let reason), .crash(let reason):
            outcome = .broken
            detail = "Breaks on the feed (\(reason)): the app cannot be used."
        }
        if presentation == .app {
            detail += Self.appDraws
        }
    }

    static let appDraws = " The library only tells the app, which shows what it likes."

    private mutating func screen(_ outcome: Outcome, _ text: String, _ seconds: Double) {
        self.outcome = outcome
        presentation = .screen
        message = text
        retryInterval = Int(seconds)
    }

    private mutating func show(
        _ outcome: Outcome,
        _ library: ClientLibrary,
        title: String,
        _ text: String,
        launchgate: [String],
        gandalf: [String]
    ) {
        self.outcome = outcome
        switch library {
        case .launchgate:
            (presentation, message, buttons) = (.dialog, text, launchgate)
        case .gandalf:
            (presentation, self.title, message, buttons) = (.dialog, title, text, gandalf)
        // Prince of Versions has no texts; Bellerophon never makes this decision.
        case .princeOfVersions, .bellerophon, .gatekit, .openFeature: presentation = .app
        }
    }

    private static func order(_ library: ClientLibrary) -> String { library == .launchgate ? " when compared as text" : "" }
}
