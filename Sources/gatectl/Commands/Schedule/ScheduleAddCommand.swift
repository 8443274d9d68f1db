import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

struct ScheduleAddCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "add",
        abstract: "Make a window: a change from one time until another.",
        discussion: """
            After -- comes what is to happen at the start: kill, open, require, suggest, alert or force, without app and platform. At \
            the end the window's rules are cleared, or with --then restore become what they were. Whoever changes them meanwhile is \
            not overruled: the window then fails and says so. Only what somebody sets just as the window had set it ends with the \
            window; the plan says so. open --all-gates clears an alert only if one blocks when the window is made.

            EXAMPLES
              gatectl schedule add shop ios --from 08:30 --until 09:00 -- kill -m Closed.
              gatectl schedule add shop all --from "tomorrow 09:00" --dry-run -- open
              gatectl schedule add shop ios --from 22:00 --tz Europe/Paris -- open
            """
    )

    @OptionGroup var target: TargetArguments
    @Option(name: .long, help: "When it starts: 09:00, \"tomorrow 09:00\", \"2026-03-30 09:00\" or 2026-03-30T09:00:00Z.") var from: String
    @Option(name: .long, help: "When it ends, in the same forms. Without it the change stays.") var until: String?
    @Option(name: .customLong("tz"), help: "The zone of the times, such as Europe/Berlin. Default: the local one.") var zone: String?
    @Option(name: .long, help: "At the end: open (clear the window's rules) or restore (what was there before).") var then =
        WordArgument(Window.Ending.open)
    @Argument(parsing: .postTerminator, help: "What is to happen: -- kill -m TEXT") var action: [String] = []
    @OptionGroup(title: "Write") var write: WriteOptions
    @OptionGroup(title: "Write") var revision: RevisionOption
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if action.isEmpty { throw ValidationError("Say after -- what is to happen: -- kill -m TEXT") }
        try ZoneArgument.validate(zone)
    }

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        let flow = try await WindowFlow.begin(session, write)
        let targets = try await TargetLookup(client: session.client).targets(target.app, target.platform)
        if let revision = self.revision.ifRevision, targets.count != 1 || revision < 1 {
            throw Failure.usage("--if-revision needs one target: each has revisions of its own")
        }
        let set = try await WindowAction.edit(action, app: target.app, platform: target.platform, targets: targets)
        if let caution = WindowAction.caution(set) { console.note(caution) }
        let now = flow.status.serverTime
        let times = WindowTimes(zone: zone, now: now)
        let start = try times.start(from)
        let end = try until.map { text throws(Failure) in try times.end(text, of: start) }
        var request = WindowRequest(
            targets: targets.map { TargetRef($0.target.key, revision: revision.ifRevision ?? $0.target.revision) },
            set: set,
            start: start,
            end: end,
            then: then.word
        )
        try await flow.perform(targets, "Schedule \(action[0]) for \(targets.map(\.target.key.description).joined(separator: ", "))") {
            terms in
            request.terms = terms
            return try await session.client.createWindow(request)
        }
    }
}
