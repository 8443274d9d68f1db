import GateAPI
import GateJSON
import GateModel

/// What a file of an app's own shape becomes, in words: what its values mean, how its feed compares with it, and what a kill switch makes
/// of it.
struct TakeoverView {
    private let proof: TakeoverProof

    init(_ proof: TakeoverProof) { self.proof = proof }

    func lines() -> [String] {
        var lines = ["A file of a shape of its own, to be served at \(Style.safe(proof.path))"]
        lines +=
            proof.meanings.isEmpty
            ? ["  no value has a meaning yet; name one: --map '$.maintenance=kill'"]
            : ["  its values mean:"] + proof.meanings.map { "    --map \(Style.safe($0).asShellWord)" }
        switch proof.match {
        case .identical: lines.append("  its feed is the file, byte for byte")
        case .equal: lines.append("  its feed says what the file says, spelled differently")
        case .different:
            lines.append("  its feed DIFFERS from the file:")
            lines += Self.rows(proof.comparison)
        }
        for flip in proof.flips {
            let side = flip.isKilled ? "once \(flip.platform) is killed" : "once \(flip.platform) is opened"
            guard !flip.comparison.isEmpty else {
                lines.append("  \(side): the feed stays as it is")
                continue
            }
            lines.append("  \(side):")
            lines += Self.rows(flip.comparison)
        }
        return lines
    }

    private static func rows(_ comparison: TakeoverProof.Comparison) -> [String] {
        comparison.differences.map(row) + (comparison.omitted > 0 ? ["    … and \(comparison.omitted) more places"] : [])
    }

    private static func row(_ difference: TakeoverProof.Difference) -> String {
        let (before, after) = (difference.before ?? "(nothing)", difference.after ?? "(nothing)")
        return "    \(Style.safe(difference.path)): \(Style.safe(before)) → \(Style.safe(after))"
    }
}
