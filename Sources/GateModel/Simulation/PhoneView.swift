/// What a phone shows, as the person who holds it sees it.
public struct PhoneView: Sendable, Hashable {
    /// What it means for the person who holds the phone.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// The app goes on, and nothing is shown.
        case open
        /// A message is shown, and the app goes on.
        case notice
        /// An update is offered and can be put off.
        case updateOffered
        /// The app goes on only after an update.
        case updateRequired
        /// Nobody gets past.
        case blocked
        /// The library cannot use the feed, and lets everybody in.
        case failed
        /// The library never calls the app back, or crashes it.
        case broken
    }

    /// How it is shown, for code that draws it.
    public enum Presentation: String, Sendable, Hashable, CaseIterable {
        /// Nothing is shown.
        case none
        /// The app's own screen over everything.
        case screen
        /// A dialog of the library over the app.
        case dialog
        /// The library only informs the app, which shows what it likes.
        case app
    }

    public var outcome: Outcome
    /// The rule that is shown; nil if none is.
    public var rule: Rule?
    public var presentation: Presentation
    /// The dialog's title; nil if it has none.
    public var title: String?
    /// What the person reads; nil if nothing is shown or the library has no text.
    public var message: String?
    /// The dialog's buttons, in the order shown. A blocking dialog may have none.
    public var buttons: [String]
    /// Seconds after which the library polls again by itself; nil if it does not.
    public var retryInterval: Int?
    /// What is shown and why, in sentences for people.
    public var detail: String

    public init(
        outcome: Outcome,
        rule: Rule?,
        presentation: Presentation,
        title: String? = nil,
        message: String? = nil,
        buttons: [String] = [],
        retryInterval: Int? = nil,
        detail: String
    ) {
        self.outcome = outcome
        self.rule = rule
        self.presentation = presentation
        self.title = title
        self.message = message
        self.buttons = buttons
        self.retryInterval = retryInterval
        self.detail = detail
    }

    /// Whether somebody who starts the app can use it.
    public var letsIn: Bool {
        switch outcome {
        case .open, .notice, .updateOffered, .failed: true
        case .updateRequired, .blocked, .broken: false
        }
    }
}
