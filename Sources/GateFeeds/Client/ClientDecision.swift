/// What a client library does after one check of its feed.
package enum ClientDecision: Sendable, Hashable {
    /// The app goes on.
    case proceed
    /// Nobody gets past; the library polls again after this many seconds (Bellerophon).
    case killed(text: String, retryInterval: Double)
    /// Every version must update (Bellerophon).
    case forced(text: String, retryInterval: Double)
    /// This version must update.
    case requiredUpdate(version: String, message: String)
    /// An update is offered, and can be put off.
    case optionalUpdate(version: String, message: String)
    case alert(message: String, blocking: Bool)
    /// The library cannot use the document and takes its error path. On a cold start the app proceeds; a dialog that is up stays.
    case failed(reason: String)
    /// The library never calls the app back in this process.
    case stuck(reason: String)
    /// The app dies of an uncaught exception, at every launch.
    case crash(reason: String)
}
