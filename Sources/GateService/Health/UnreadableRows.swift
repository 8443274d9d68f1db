import GateModel
import GateStore

/// The database rows that cannot be read, as far as they are known: those found at the start right away, older ones once all rows have been
/// looked through.
struct UnreadableRows: Sendable {
    private var faults: [StoreFault] = []
    private var names: Set<String> = []
    /// Apps whose feeds stay as they were last published, each with a sentence that also says whether any feeds were kept.
    private var sealed: [AppKey: String] = [:]
    /// Whether a sealed app can be read but not rendered: then there is no row to repair, and a target has to go back to an earlier
    /// revision.
    private var hasUnrendered = false

    mutating func add(_ found: [StoreFault]) {
        for fault in found where names.insert(fault.name).inserted { faults.append(fault) }
    }

    /// - Parameters:
    ///   - isServed: whether its last published feeds are there to be served.
    ///   - isRendered: false for an app that can be read but not rendered.
    mutating func seal(_ app: AppKey, isServed: Bool, isRendered: Bool) {
        if !isRendered { hasUnrendered = true }
        let why = isRendered ? "" : ", whose feeds cannot be rendered,"
        sealed[app] =
            "\(app)\(why) takes no changes and \(isServed ? "is served as it was published last" : "has no feeds, because none are kept")"
    }

    /// The app can be read again.
    mutating func unseal(_ app: AppKey) { sealed[app] = nil }

    /// For the health; nil when all is readable. It names rows but not their contents.
    var reason: Troubles.Reason? {
        guard !faults.isEmpty || !sealed.isEmpty else { return nil }
        var parts: [String] = []
        if !faults.isEmpty { parts.append("\(faults.map(\.name).inWords) cannot be read") }
        let option = hasUnrendered ? " --revert APP/PLATFORM@REVISION" : ""
        func sentence(_ parts: [String]) -> String {
            "rows: \(parts.joined(separator: "; ")); stop the server and run gatehouse repair\(option)"
        }
        let rows = faults.isEmpty ? [] : [faults.count == 1 ? "1 row cannot be read" : "\(faults.count) rows cannot be read"]
        let apps = sealed.isEmpty ? [] : [sealed.count == 1 ? "1 app takes no changes" : "\(sealed.count) apps take no changes"]
        return .init(sentence(parts + sealed.sorted { $0.key < $1.key }.map(\.value)), nameless: sentence(rows + apps))
    }
}
