import GateJSON
import GateModel

/// A platform of an export: its settings and its gate as the document has them, and what tells its history from another's.
struct ExportedPlatform: Sendable, Hashable {
    /// Settings that are not named have their defaults.
    var settings: SettingsEdit
    var gate: GateEdit
    /// Nil in a file that was written by hand; an apply looks only at the revision.
    var revision: Int?
    var sequence: Int?
    var changedAt: Timestamp?

    init(settings: SettingsEdit, gate: GateEdit, revision: Int?, sequence: Int?, changedAt: Timestamp?) {
        self.settings = settings
        self.gate = gate
        self.revision = revision
        self.sequence = sequence
        self.changedAt = changedAt
    }

    /// A file that was written by hand knows no history and says nothing about one.
    init(_ target: Target) {
        let isKnown = target.revision > 0
        self.init(
            settings: SettingsEdit(replacingWith: target.settings),
            gate: GateEdit(Rule.allCases.filter(target.gate.isOn), of: target.gate),
            revision: isKnown ? target.revision : nil,
            sequence: isKnown ? target.sequence : nil,
            changedAt: isKnown ? target.changedAt : nil
        )
    }

    func target(_ key: TargetKey, from source: DocumentSource) throws(ModelError) -> Target {
        var (settings, gate) = (PlatformSettings.standard(for: key.platform), Gate.open)
        do throws(ModelError) { try settings.apply(self.settings) } catch { throw error.within("/settings") }
        do throws(ModelError) { try gate.apply(self.gate, settings: settings, from: source) } catch { throw error.within("/gate") }
        let changedAt = changedAt ?? Timestamp(milliseconds: 0)
        return Target(
            key: key,
            settings: settings,
            gate: gate,
            revision: revision ?? 0,
            sequence: sequence ?? 0,
            since: changedAt,
            changedAt: changedAt
        )
    }
}
