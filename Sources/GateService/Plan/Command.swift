package import GateFeeds
package import GateJSON
package import GateModel

/// A change that somebody asks for. Nothing in it has been checked against the current state.
package enum Command: Sendable {
    /// Gates of one or more targets, all or none.
    case gates([TargetCommand], kind: Change.Kind)
    case createApp(AppKey, name: String)
    /// A new name and new aliases; nil keeps the present ones. `seen`: the present ones as the caller knows them.
    case editApp(AppKey, name: String?, aliases: [Alias]?, seen: JSONObject? = nil)
    /// Creates the platform, or replaces the named settings. `seen`: settings as the caller knows them.
    case putPlatform(TargetKey, settings: JSONValue, seen: JSONObject? = nil)
    case deleteApp(AppKey)
    case deletePlatform(TargetKey)
    /// Creates a feed of an own shape, or gives it another template.
    case putOwnFeed(AppKey, OwnFeedDraft)
    case deleteOwnFeed(AppKey, OwnFeedName)
    /// Takes over a file of an own shape: makes a feed of it, and sets the gates to what the file says.
    case takeOver(AppKey, OwnFeedDraft, [TargetCommand])
    /// Applies a whole document, in one change.
    case apply(ApplyCommand)
}

/// What a command asks of one target.
package struct TargetCommand: Sendable {
    package enum Action: Sendable {
        /// Replaces or clears whole rules. Parsed once, for all targets that it is for.
        case set(PreparedEdit)
        /// The same, but the kill switch, which the edit turns off, is lifted gradually over that many seconds.
        case open(PreparedEdit, over: Int)
        /// The same at the start of a window: a person confirmed it when it was made, so nothing stops it now that they could have
        /// overridden then.
        case start(PreparedEdit)
        /// The same by the clock, at the end of a window: what was there before comes back, whether or not there is still room for it, and
        /// even if a lint finds something probably wrong with it.
        case restore(PreparedEdit)
        /// The gate of an earlier revision.
        case revert(to: Int)
    }

    /// Whether this is the clock taking back what a window did.
    var isRestoring: Bool { if case .restore = action { true } else { false } }

    /// Whether this is a window that starts.
    var isStarting: Bool { if case .start = action { true } else { false } }

    package let target: TargetKey
    /// The revision that the caller saw; nil is refused unless nothing will be written.
    package let revision: Int?
    package let action: Action
    /// Settings to replace in the same change; nil for none.
    package let settings: JSONValue?
    /// Pointers to the target and its edit in the request's body, for errors: `/targets/0` and `/set`.
    package let pointer: String
    package let editPointer: String
    /// Pointer to where the revision is, or should be: `/targets/0/revision`.
    package let revisionField: String
    /// Whether a dry run may omit the revision: somebody importing a file learns only from the dry run which targets it is about.
    package let mayBeTriedUnseen: Bool
    /// What apps poll so far instead of the target's own feeds, by library: the file that is taken over.
    package let hosted: [ClientLibrary: [UInt8]]
    /// What is known about the edit besides what the lints find in it.
    package let findings: [Finding]

    package init(
        target: TargetKey,
        revision: Int?,
        action: Action,
        settings: JSONValue? = nil,
        pointer: String,
        editPointer: String,
        revisionField: String? = nil,
        mayBeTriedUnseen: Bool = false,
        hosted: [ClientLibrary: [UInt8]] = [:],
        findings: [Finding] = []
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
        self.findings = findings
    }
}

extension Command {
    /// How many targets a change of gates names; nil for a command that takes its targets from a document.
    var named: Int? {
        guard case .gates(let commands, let kind) = self, kind != .import else { return nil }
        return commands.count
    }
}

extension Command {
    /// The apps that the command names.
    var apps: [AppKey] {
        switch self {
        case .gates(let commands, _): commands.map(\.target.app)
        case .createApp(let key, _), .editApp(let key, _, _, _), .deleteApp(let key): [key]
        case .putPlatform(let key, _, _), .deletePlatform(let key): [key.app]
        case .putOwnFeed(let key, _), .deleteOwnFeed(let key, _), .takeOver(let key, _, _): [key]
        case .apply(let command): command.apps.map(\.key)
        }
    }
}
