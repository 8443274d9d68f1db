package import GateJSON
import GateModel

/// Answer to `GET /targets/{app}/{platform}/versions`: which versions poll a target, as far as their polls say so.
///
/// Polls with OpenFeature, and polls of feeds that depend on the phone, name a version. Nothing that identifies a phone is counted, and
/// caches in front answer polls that are never seen here. The polls of all servers that share a database are added.
package struct VersionsBody: TabledBody {
    /// One version.
    package struct Item: TabledBody {
        /// As phones spell it; ``others`` for all that were not told apart.
        package var version: String
        package var polls: Int
        /// The share of all polls that named a version, 0 to 1 in steps of a thousandth, rounded down.
        package var share: Double

        package init(version: String, polls: Int, share: Double) {
            self.version = version
            self.polls = polls
            self.share = share
        }

        package static let table = FieldTable<Item>(
            answer: "PolledVersion",
            "A version",
            .needed("version", .string, \.version),
            .needed("polls", .integer(0...), \.polls),
            .needed("share", .share, \.share),
            make: Item.init
        )
    }

    /// Stands for versions beyond those that are told apart; no version is spelled like this.
    package static let others = "other"

    /// The most polled first, and ``others`` last.
    package var items: [Item]
    /// Polls that named a version.
    package var polls: Int
    /// Where the counting begins: an hour or a day ago, whether or not the server has run that long.
    package var since: Timestamp

    package init(items: [Item], polls: Int, since: Timestamp) {
        self.items = items
        self.polls = polls
        self.since = since
    }

    package static let table = FieldTable<VersionsBody>(
        answer: "PolledVersions",
        "An answer",
        .needed("items", .list(of: .body), \.items),
        .needed("polls", .integer(0...), \.polls),
        .needed("since", .time, \.since),
        make: VersionsBody.init
    )
}
