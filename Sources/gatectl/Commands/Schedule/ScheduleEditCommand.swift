import ArgumentParser
import GateAPI
import GateAdminClient
import GateModel

struct ScheduleEditCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "edit",
        abstract: "Move a window: other times before its start, another end while it runs.",
        discussion: """
            What is not named stays as it is, and what the window does stays. Times are those of the zone that the window was made in, \
            not of this machine; --tz names another. With --no-end a running window is over, and what it did stays until somebody \
            changes it.

            EXAMPLES
              gatectl schedule edit 12 --from "tomorrow 09:00" --until "tomorrow 10:00"
              gatectl schedule edit 12 --until 23:30 -r "The database needs longer"
              gatectl schedule edit 12 --no-end
            """
    )

    @Argument(help: "The window's number, as in gatectl schedule list.") var id: Int
    @Option(name: .long, help: "When it starts, as in gatectl schedule add; only before it has.") var from: String?
    @Option(name: .long, help: "When it ends.") var until: String?
    @Flag(name: .customLong("no-end"), help: "It does not end by itself any more.") var isEndless = false
    @Option(name: .customLong("tz"), help: "The zone of the times, such as Europe/Berlin. Default: the window's own.") var zone: String?
    @Option(name: .long, help: "At the end: open (clear the window's rules) or restore (what was there before).") var then:
        WordArgument<Window.Ending>?
    @OptionGroup(title: "Write") var write: WriteOptions
    @OptionGroup(title: "Write") var seen: WindowRevisionOption
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if until != nil, isEndless { throw ValidationError("--until and --no-end exclude each other") }
        if from == nil, until == nil, !isEndless, then == nil {
            throw ValidationError("Say what is to be different: --from, --until, --no-end or --then")
        }
        try ZoneArgument.validate(zone)
    }

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        let flow = try await WindowFlow.begin(session, write)
        let window = try await session.client.window(id)
        if window.state == .running, from != nil {
            throw Failure(
                .refused,
                "window_running",
                "window \(id) has started; only its end can still be moved",
                next: [("next", Invocation.sameServer("schedule edit \(id) --until TIME"))]
            )
        }
        let targets = try await TargetLookup(client: session.client).targets(of: window)
        let times = WindowTimes(zone: zone ?? window.start.zone, now: flow.status.serverTime)
        let start = try from.map { text throws(Failure) in try times.start(text) } ?? window.start
        let end = try until.map { text throws(Failure) in
            let end = try times.end(text, of: start)
            guard end.at > times.now else { throw times.past(text, end) }
            return end
        }
        var request = WindowRequest(
            targets: targets.map { TargetRef($0.target.key, revision: $0.target.revision) },
            set: window.set,
            start: start,
            end: isEndless ? nil : end ?? window.end,
            then: then?.word ?? window.then
        )
        try await flow.perform(targets, "Change window \(id)") { terms in
            request.terms = terms
            return try await session.client.replaceWindow(id, WindowReplaceRequest(request, revision: seen.ifRevision ?? window.revision))
        }
    }
}
