/// What is on the screen for a decision: everything that can be worked out beforehand, so that a view only draws.
public struct GatePresentation: Sendable, Hashable {
    /// What a button does.
    public enum Action: String, Sendable, Hashable {
        /// Opens the store. A block stays, and so does a notice: choosing the update does not dismiss it.
        case update
        /// Polls the feed again.
        case tryAgain
        /// Dismisses the notice.
        case putAway
    }

    /// A button, in the order of ``buttons``.
    public struct Button: Sendable, Hashable {
        /// What the presenter reports when it is pressed.
        public let action: Action
        /// In the person's language.
        public let title: String
    }

    /// What is presented.
    public let decision: GateDecision
    /// Nil for an alert, whose text is all there is to say.
    public let title: String?
    /// The feed's text in the person's language, or else ``GateTexts``'; empty for an alert without a text.
    public let message: String
    /// The first is the preferred one.
    public let buttons: [Button]
    /// Whether it covers the app until the gate opens.
    public var isBlocking: Bool { decision.kind.shutsOut }

    /// Whether the two look and act the same: same words, and buttons that do the same.
    func looks(like other: GatePresentation) -> Bool {
        decision.rule == other.decision.rule && title == other.title && message == other.message && buttons == other.buttons
            && decision.storeURL == other.decision.storeURL
    }

    /// Nil for a decision that shows nothing.
    public init?(_ decision: GateDecision, texts: GateTexts) {
        self.decision = decision
        let update = decision.storeURL == nil ? [] : [Button(action: .update, title: texts.update)]
        let tryAgain = Button(action: .tryAgain, title: texts.tryAgain)
        switch decision.kind {
        case .open: return nil
        case .blocked:
            (title, message, buttons) = (texts.blockedTitle, decision.message ?? texts.blockedMessage, [tryAgain])
        case .forced, .required:
            (title, message, buttons) = (texts.requiredTitle, decision.message ?? texts.requiredMessage, update + [tryAgain])
        case .optional:
            let later = Button(action: .putAway, title: texts.later)
            (title, message, buttons) = (texts.optionalTitle, decision.message ?? texts.optionalMessage, update + [later])
        case .alert:
            (title, message, buttons) = (nil, decision.message ?? "", [Button(action: .putAway, title: texts.ok)])
        }
    }
}
