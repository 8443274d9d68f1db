import Foundation

/// What a monitor knows.
public struct GateState: Sendable, Hashable {
    /// What the app shows.
    public var decision: GateDecision
    /// Whether the last check failed, so this is what was known before.
    public var isStale: Bool
    /// The place in history of the native document that decided; nil for every other shape, and while nothing is known.
    public var sequence: Int?
    /// What was left out of the document that decided, because it could not be read; for a log.
    public var diagnostics: [GateDiagnostic]

    public init(decision: GateDecision, isStale: Bool, sequence: Int?, diagnostics: [GateDiagnostic] = []) {
        self.decision = decision
        self.isStale = isStale
        self.sequence = sequence
        self.diagnostics = diagnostics
    }
}

/// What happens. Being shut out is announced once, and so is being let in again; not at every check.
public enum GateEvent: Sendable {
    /// A block is coming up; the app's screen is about to be covered.
    case willEngage(GateDecision)
    case didEngage(GateDecision)
    /// The text of the current block has changed.
    case messageChanged(GateDecision)
    /// The current block, given here, is about to go.
    case willDisengage(GateDecision)
    case didDisengage(GateDecision)
    /// An optional update or an alert is to be shown, once. The next one comes when the person has dismissed this one.
    case notice(GateDecision)
    /// The current notice is no longer in force; sent before whatever replaces it.
    case noticeWithdrawn(GateDecision)
    /// The state has changed, or is known for the first time.
    case state(GateState)
    /// A check failed; or, if the code is `memory`, what is remembered could not be read or saved, whatever came of the check. `keeping` is
    /// the state that stays.
    case error(GateKitError, keeping: GateState)
}

/// The same as ``GateEvent``, for apps that are moving from Bellerophon. Held weakly; called where ``GateConfiguration/delivery`` says.
public protocol GateMonitorDelegate: AnyObject, Sendable {
    func gateWillEngage(_ decision: GateDecision)
    func gateDidEngage(_ decision: GateDecision)
    func gateMessageChanged(_ decision: GateDecision)
    func gateWillDisengage(_ decision: GateDecision)
    func gateDidDisengage(_ decision: GateDecision)
    func gateNotice(_ decision: GateDecision)
    func gateNoticeWithdrawn(_ decision: GateDecision)
    func gateState(_ state: GateState)
    func gateError(_ error: GateKitError, keeping state: GateState)
}

extension GateMonitorDelegate {
    public func gateWillEngage(_ decision: GateDecision) {}
    public func gateDidEngage(_ decision: GateDecision) {}
    public func gateMessageChanged(_ decision: GateDecision) {}
    public func gateWillDisengage(_ decision: GateDecision) {}
    public func gateDidDisengage(_ decision: GateDecision) {}
    public func gateNotice(_ decision: GateDecision) {}
    public func gateNoticeWithdrawn(_ decision: GateDecision) {}
    public func gateState(_ state: GateState) {}
    public func gateError(_ error: GateKitError, keeping state: GateState) {}

    func receive(_ event: GateEvent) {
        switch event {
        case .willEngage(let decision): gateWillEngage(decision)
        case .didEngage(let decision): gateDidEngage(decision)
        case .messageChanged(let decision): gateMessageChanged(decision)
        case .willDisengage(let decision): gateWillDisengage(decision)
        case .didDisengage(let decision): gateDidDisengage(decision)
        case .notice(let decision): gateNotice(decision)
        case .noticeWithdrawn(let decision): gateNoticeWithdrawn(decision)
        case .state(let state): gateState(state)
        case .error(let error, let state): gateError(error, keeping: state)
        }
    }
}

/// The result of a check in the background, in the words of Apple's background fetch.
public enum GateFetchResult: String, Sendable, Hashable {
    /// Still shut out, as before.
    case noData
    /// Something changed, or nobody is shut out.
    case newData
    case failed
}
