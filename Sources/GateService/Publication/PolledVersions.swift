/// Which versions of an app polled within a span of time, as far as their polls said so.
package struct PolledVersions: Sendable, Hashable {
    /// How far back to look.
    package enum Span: String, Sendable, Hashable, CaseIterable {
        case hour, day

        package var seconds: Int64 {
            switch self {
            case .hour: 3_600
            case .day: 86_400
            }
        }
    }

    package struct Version: Sendable, Hashable {
        /// As the phones spell it.
        package let text: String
        package let polls: Int

        package init(text: String, polls: Int) {
            self.text = text
            self.polls = polls
        }
    }

    /// The most polled first.
    package let versions: [Version]
    /// Polls of versions that were not counted separately, because there are too many.
    package let others: Int

    package init(versions: [Version], others: Int) {
        self.versions = versions
        self.others = others
    }

    /// Polls that named a version.
    package var polls: Int { versions.reduce(others) { $0 + $1.polls } }
}
