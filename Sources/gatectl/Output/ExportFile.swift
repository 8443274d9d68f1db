import GateAPI
import GateFeeds
import GateModel

/// An export file read without a server, and what its feeds would be.
struct ExportFile {
    let export: ExportBody
    let warnings: [Warning]
    let feeds: [RenderedFeed]

    /// More than the admin API takes in one body: a file holds every app.
    private static let limits = JSONReader.Limits(bytes: 64 << 20, depth: 16, members: 1_000_000)

    /// - Parameter accept: codes of refusals that are overridden.
    /// - Throws: input refused (8), with the place in the file.
    init(path: String, accept: [String] = []) throws(Failure) {
        let bytes = try InputFile.read(path)
        let json: JSONValue
        do {
            json = try JSONReader.read(bytes, limits: Self.limits)
        } catch { throw Failure(.refused, "malformed", "\(Style.safe(path)) is no JSON: \(error)") }
        do {
            export = try ExportBody(json: json)
        } catch {
            var failure = Failure(.refused, error.code, "\(Style.safe(path)): \(error.detail)")
            failure.field = error.field
            throw failure
        }
        warnings = try Self.lint(export, accept)
        var feeds: [RenderedFeed] = []
        for app in export.apps {
            do { feeds += try FeedRenderer.render(app) } catch { throw Failure(.refused, error.code, "\(error.target): \(error.detail)") }
        }
        self.feeds = feeds
    }

    private static func lint(_ export: ExportBody, _ accept: [String]) throws(Failure) -> [Warning] {
        var warnings: [Warning] = []
        for app in export.apps {
            for key in app.platformKeys {
                guard let target = app.platforms[key] else { continue }
                for finding in FeedLint.findings(before: .open, after: target.gate, target: target.key, settings: target.settings) {
                    if case .refusal(let isOverridable) = finding.severity, !(isOverridable && accept.contains(finding.code)) {
                        var failure = Failure(.refused, finding.code, finding.detail)
                        failure.field = "/apps/\(app.key)/platforms/\(key)/gate" + finding.field
                        if isOverridable { failure.next = [("next", "to take it all the same: --accept \(finding.code)")] }
                        throw failure
                    }
                    if !warnings.contains(finding.warning) { warnings.append(finding.warning) }
                }
            }
        }
        return warnings
    }

    var targetCount: Int { export.apps.reduce(0) { $0 + $1.platforms.count } }
}
