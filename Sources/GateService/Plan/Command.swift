package import GateJSON
package import GateModel

/// What somebody asks to be changed. Nothing in it has been checked against what is there.
package enum Command: Sendable {
    /// Gates of one or more targets, all or none.
    case gates([TargetCommand], kind: Change.Kind)
    case createApp(AppKey, name: String)
    /// A new name and new old addresses; nil keeps what is there.
    case editApp(AppKey, name: String?, aliases: JSONValue?)
    /// Creates the platform, or replaces the settings that are named.
    case putPlatform(TargetKey, settings: JSONValue)
    case deleteApp(AppKey)
    case deletePlatform(TargetKey)
    /// Makes a feed of an own shape, or gives it another template.
    case putOwnFeed(AppKey, OwnFeedDraft)
    case deleteOwnFeed(AppKey, OwnFeedName)
    /// Takes a file of an own shape over: makes a feed of it, and the gates say what the file says.
    case takeOver(AppKey, OwnFeedDraft, [TargetCommand])
    /// A whole document made true, in one change.
    case apply(ApplyCommand)
}

/// What is asked of one target.
package struct TargetCommand: Sendable {
    package enum Action: Sendable {
        /// Whole rules replaced or cleared. Read once, for all targets that it is for.
        case set(PreparedEdit)
        /// The same, and the kill switch, which the edit turns off, is lifted gradually over so many seconds.
        case open(PreparedEdit, over: Int)
        /// The same by the clock, at the end of a window: what stood there before comes back, whether or not there is room for it by now, and
        /// whatever is only probably wrong with it.
        case restore(PreparedEdit)
        /// The gate of an earlier revision.
        case revert(to: Int)
    }

    /// Whether it is the clock that takes back what a window did.
    var isRestoring: Bool { if case .restore = action { true } else { false } }

    package let target: TargetKey
    /// The revision that the caller saw; nil is refused unless nothing is going to be written.
    package let revision: Int?
    package let action: Action
    /// Settings to replace in the same change; nil for none.
    package let settings: JSONValue?
    /// Where the target and its edit stand in the request's body, for errors: `/targets/0` and `/set`.
    package let pointer: String
    package let editPointer: String
    /// Where the revision stands, or should: `/targets/0/revision`.
    package let revisionField: String
    /// Whether a trial may do without the revision: who imports a file learns only from the trial which targets it is about.
    package let mayBeTriedUnseen: Bool
    /// What apps poll until then in place of the target's own feeds, by library: the file that is taken over.
    package let hosted: [ClientLibrary: [UInt8]]

    package init(
        target: TargetKey,
        revision: Int?,
        action: Action,
        settings: JSONValue? = nil,
        pointer: String,
        editPointer: String,
        revisionField: String? = nil,
        mayBeTriedUnseen: Bool = false,
        hosted: [ClientLibrary: [UInt8]] = [:]
    ) {
        self.target = target
        self.revision = revision
        self.action = action
        self.settings = settings
        self.pointer = pointer
        self.editPointer = editPointer
        self.revisionField = revisionField ?? pointer + "/revision"
        self.mayBeTriedUnseen = mayBeTriedUnseen
        self.hosted = hosted
    }
}

extension Command {
    /// How many targets a change of gates names; nil for what reads them from a document.
    var named: Int? {
        guard case .gates(let commands, let kind) = self, kind != .import else { return nil }
        return commands.count
    }
}

extension Command {
    /// The apps that it names.
    var apps: [AppKey] {
        switch self {
        case .gates(let commands, _): commands.map(\.target.app)
        case .createApp(let key, _), .editApp(let key, _, _), .deleteApp(let key): [key]
        case .putPlatform(let key, _), .deletePlatform(let key): [key.app]
        case .putOwnFeed(let key, _), .deleteOwnFeed(let key, _), .takeOver(let key, _, _): [key]
        case .apply(let command): command.apps.map(\.key)
        }
    }
}
