import GateModel

/// "Did you mean": the known name nearest to a mistyped one.
enum Suggestion {
    /// `. Did you mean kill?`, to follow a sentence about a name that is not known; empty when none is near enough.
    static func question(about word: String, among names: [String]) -> String { question(NearestName.nearest(to: word, among: names)) }

    static func question(_ near: String?) -> String { near.map { ". Did you mean \(Style.safe($0))?" } ?? "" }
}
