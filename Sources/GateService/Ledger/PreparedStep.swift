import GateJSON
import GateModel
import GateStore

/// A step with everything that its commit needs: its feeds are rendered as if it were the next change and made at this moment.
///
/// Rendering is most of the work of a change, so it is done before the lock is taken. If another change of other apps comes first, only the
/// parts that contain the sequence and the time are made again.
struct PreparedStep: Sendable {
    private let planned: Step
    /// The sequence that the change will have if nobody is faster.
    let sequence: Int
    let at: Timestamp
    /// ``planned`` with that sequence and time.
    let step: Step
    /// The new feeds of each app; nil for an app that is removed.
    let published: [(key: AppKey, app: PublishedApp?)]
    /// The targets as the history stores them: with the digests of the feeds that their phones get.
    let targets: [ChangedTarget]
    /// The targets' rows; nil for a step that was moved, whose rows are made during the commit.
    let spelled: SpelledTargets?

    /// - Parameter step: not dated yet.
    /// - Throws: `internal` when a feed cannot be rendered.
    init(_ step: Step, sequence: Int, at: Timestamp) throws(ServiceError) {
        planned = step
        self.sequence = sequence
        self.at = at
        self.step = step.dated(at, sequence: sequence)
        var published: [(key: AppKey, app: PublishedApp?)] = step.removedApps.map { ($0, nil) }
        for app in self.step.apps { published.append((app.key, try PublishedApp(rendering: app))) }
        self.published = published
        targets = self.step.targets(publishedAs: published)
        do { spelled = try SpelledTargets(targets, of: self.step.apps, sequence: sequence) } catch { throw ServiceError(error) }
    }

    /// The same step at another place in the history.
    func moved(to sequence: Int, at: Timestamp) -> PreparedStep {
        guard sequence != self.sequence else { return self }
        return PreparedStep(moving: self, to: sequence, at: at)
    }

    private init(moving other: PreparedStep, to sequence: Int, at: Timestamp) {
        planned = other.planned
        self.sequence = sequence
        self.at = at
        step = planned.dated(at, sequence: sequence)
        var touched: [AppKey: Set<PlatformKey>] = [:]
        for changed in planned.targets { touched[changed.target.app, default: []].insert(changed.target.platform) }
        let apps = Dictionary(step.apps.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
        published = other.published.map { key, published in
            guard let published, let app = apps[key] else { return (key, nil) }
            return (key, published.redated(app, touched[key] ?? []))
        }
        targets = step.targets(publishedAs: published)
        spelled = nil
    }
}
