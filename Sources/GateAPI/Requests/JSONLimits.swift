package import GateJSON
import GateModel

extension JSONReader.Limits {
    /// For a body that names up to ``ChangeRequest/maximumTargets`` targets, each with rules of its own: at most 30 members a target.
    /// The limit in bytes is that of every body.
    package static let ofManyTargets = JSONReader.Limits(members: 30 * ChangeRequest.maximumTargets)

    /// For an export document, and so for the body of an apply: 8 MiB are some 20,000 targets with a kill switch each. A target takes
    /// about 20 members, its releases not counted.
    package static let ofExport = JSONReader.Limits(bytes: 8 << 20, members: 500_000)
}
