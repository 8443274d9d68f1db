import GateModel
import GateStore

/// The rows of the database that nobody can read, as far as they are known: those of the start at once, older ones when all have been looked
/// through.
struct UnreadableRows: Sendable {
    private var faults: [StoreFault] = []
    private var names: Set<String> = []
    /// Apps whose feeds stay as they were published last, and whether there were any to keep.
    private var sealed: [AppKey: String] = [:]
    /// Whether one of them can be read: there is no row to repair then, and a target that has to go back to what it was.
    private var hasUnrendered = false

    /// Rows that the health names; of more it says how many.
    private static let shown = 5

    mutating func add(_ found: [StoreFault]) {
        for fault in found where names.insert(fault.name).inserted { faults.append(fault) }
    }

    /// - Parameters:
    ///   - isServed: whether there are feeds of it that were published last.
    ///   - isRendered: false for one that can be read, and makes no feeds.
    mutating func seal(_ app: AppKey, isServed: Bool, isRendered: Bool) {
        if !isRendered { hasUnrendered = true }
        let why = isRendered ? "" : ", whose feeds cannot be rendered,"
        sealed[app] =
            "\(app)\(why) takes no changes and \(isServed ? "is served as it was published last" : "has no feeds, because none are kept")"
    }

    /// The app can be read again.
    mutating func unseal(_ app: AppKey) { sealed[app] = nil }

    /// For the health; nil when there is none. Rows are named, and what they hold is not told: anybody may ask whether a server is ready.
    var reason: String? {
        guard !faults.isEmpty || !sealed.isEmpty else { return nil }
        var parts: [String] = []
        if !faults.isEmpty {
            let more = faults.count > Self.shown ? " and \(faults.count - Self.shown) more" : ""
            parts.append("\(faults.prefix(Self.shown).map(\.name).joined(separator: ", "))\(more) cannot be read")
        }
        let option = hasUnrendered ? " --revert APP/PLATFORM@REVISION" : ""
        return
            "rows: \((parts + sealed.sorted { $0.key < $1.key }.map(\.value)).joined(separator: "; ")); stop the server and run gatehouse repair\(option)"
    }
}
