import GateFeeds
package import GateJSON
package import GateModel

/// A feed of an own shape as it was requested.
package struct OwnFeedDraft: Sendable {
    package let name: OwnFeedName
    package let platform: PlatformKey?
    package let template: String
    /// The file that phones poll today; the plan says where the feed differs from it. It is not stored.
    package let sample: String?
    /// The present template as the caller knows it, under `template`; nil where they do not say. It is not stored.
    package let seen: JSONObject?

    package init(name: OwnFeedName, platform: PlatformKey?, template: String, sample: String?, seen: JSONObject? = nil) {
        self.seen = seen
        self.name = name
        self.platform = platform
        self.template = template
        self.sample = sample
    }
}

/// What a change of an app does to its feeds of own shapes.
struct Reshaping {
    let edits: [OwnFeedEdit]
    /// The rendered documents, before and after.
    var documents: [AppDifference] = []
    /// Targets whose phones may be let in, or shut out, because their document changes while their gates stay.
    var opened: [TargetKey] = []
    var warnings: [Warning] = []

    var removals: Int { edits.count { $0.feed == nil } }
}

extension Warning {
    static func ownShape(_ path: String) -> Warning {
        Warning(code: "own_shape", detail: "\(path): what phones make of this shape is the app's own affair; no library's model reads it.")
    }

    static func ignoresKill(_ path: String) -> Warning {
        Warning(
            code: "own_feed_ignores_kill",
            detail: "\(path) is the same with a kill switch and without: it shuts nobody out."
        )
    }

    static func ownFeedVanishes(_ path: String) -> Warning {
        Warning(code: "own_feed_removed", detail: "\(path) answers 404 from now on: what phones do then is the app's own affair.")
    }

    /// - Parameter places: where they differ; empty when they have the same content and differ only in spelling.
    static func differs(_ path: String, fromSampleIn places: [String]) -> Warning {
        guard !places.isEmpty else {
            return Warning(
                code: "sample_spelled_otherwise",
                detail: "\(path) says what the sample says, but differs in white space or spelling."
            )
        }
        let told = places.prefix(5).map { $0.isEmpty ? "the whole" : $0 }.joined(separator: ", ")
        let more = places.count > 5 ? " and \(places.count - 5) more places" : ""
        return Warning(
            code: "sample_differs",
            detail: "\(path) differs from the sample in \(told)\(more), with the gates that are in force."
        )
    }
}
