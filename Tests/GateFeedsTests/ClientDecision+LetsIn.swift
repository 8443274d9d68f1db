import GateFeeds

extension ClientDecision {
    /// Whether somebody who starts the app cold can use it.
    var letsIn: Bool {
        switch self {
        case .proceed, .optionalUpdate, .alert(_, blocking: false), .failed: true
        case .killed, .forced, .requiredUpdate, .alert(_, blocking: true), .stuck, .crash: false
        }
    }
}
