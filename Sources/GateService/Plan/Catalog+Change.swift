import GateJSON
import GateModel

extension Catalog {
    /// What the next change of a target does when it gives it this gate and these settings, which may be those that it has. A key that was
    /// deleted goes on from its last revision.
    func change(of key: TargetKey, to gate: Gate, _ settings: PlatformSettings) -> ChangedTarget {
        let present = target(key)
        return ChangedTarget(
            target: key,
            previous: present?.revision ?? 0,
            revision: (present?.revision ?? retired[key] ?? 0) + 1,
            before: present?.gate ?? .open,
            after: gate,
            settings: settings == present?.settings ? nil : SettingsChange(before: present?.settings, after: settings)
        )
    }

    /// The target after a change; ``Target/sequence``, ``Target/since`` and ``Target/changedAt`` are filled in at the commit.
    /// - Parameter settings: as the change leaves them.
    func target(after changed: ChangedTarget, _ settings: PlatformSettings) -> Target {
        var target =
            target(changed.target)
            ?? Target(
                key: changed.target,
                settings: settings,
                gate: changed.after,
                revision: 0,
                sequence: 0,
                since: .unknown,
                changedAt: .unknown
            )
        (target.gate, target.settings, target.revision) = (changed.after, settings, changed.revision)
        return target
    }
}

extension ChangedTarget {
    /// The removal of a target.
    static func removal(of target: Target) -> ChangedTarget {
        ChangedTarget(
            target: target.key,
            previous: target.revision,
            revision: target.revision + 1,
            before: target.gate,
            after: .open,
            settings: SettingsChange(before: target.settings, after: nil)
        )
    }
}

extension Timestamp {
    /// A placeholder for the time of the commit.
    static let unknown = Timestamp(milliseconds: 0)
}
