import ArgumentParser
import GateAPI
import GateJSON
import GateModel

struct KillCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "kill",
        abstract: "Block everybody, whatever their version.",
        discussion: """
            Blocked phones ask again every --retry seconds and come back by themselves once you open.

            --wait 95% waits until that share of the last minute's polls carries the change; polls are counted, not \
            people, so it says "fetched" and never "seen". It exits 0 then, and 1 when --wait-limit is over first: the \
            change is made all the same.

            EXAMPLES
              gatectl kill shop ios -m "Back at 09:30." -r INC-123
              gatectl kill shop ios -m "Back soon." --for 30m
              gatectl kill shop ios -m "Back at nine." --until "tomorrow 09:00"
              gatectl kill shop ios -m @message.txt --retry 30s --dry-run
              gatectl kill shop ios -m "Back soon." -y --wait 95% --wait-limit 2m
              gatectl kill shop all -m "Back soon." -r INC-123 --confirm "kill 2 targets"
            """
    )

    @OptionGroup var target: TargetArguments
    @OptionGroup(title: "What users read") var message: MessageOption
    @Option(name: .long, help: "How often blocked phones ask again, 5s to 1h. Default: the platform's setting.") var retry: Span?
    @Option(name: .customLong("for"), help: "Lift it by itself after this long, such as 30m.") var span: Span?
    @Option(name: .long, help: "Lift it by itself at this time, such as 09:30 or 2026-03-30T09:30:00Z.") var until: String?
    @Option(name: .customLong("tz"), help: "The zone of --until, such as Europe/Berlin. Default: the local one.") var zone: String?
    @OptionGroup(title: "Write") var write: WriteOptions
    @OptionGroup(title: "Write") var wait: WaitOptions
    @OptionGroup(title: "Write") var revision: RevisionOption
    @OptionGroup var common: CommonOptions

    func validate() throws {
        try wait.check(with: write)
        if span != nil, until != nil { throw ValidationError("Say --for or --until, not both.") }
        if zone != nil, until == nil { throw ValidationError("--tz is the zone of --until.") }
        try ZoneArgument.validate(zone)
    }

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        var rule = try rule()
        var flow = try await WriteFlow.begin(session, write, revision, wait)
        flow.zone = ZoneArgument.zone(zone)
        if let end = try end(now: flow.status.serverTime) { rule["until"] = .string(end.description) }
        let edit = GateEdit([.killSwitch: .object(rule)])
        try await flow.edit(target, "kill", "Block") { _ in edit }
    }

    /// The kill switch, without its end.
    func rule() throws(Failure) -> JSONObject {
        var rule: JSONObject = ["message": .string(try message.needed(for: "kill"))]
        if let retry { rule["retryInterval"] = .integer(retry.seconds) }
        return rule
    }

    /// When the kill switch lifts itself, by the server's clock, because it is the server that lifts it.
    private func end(now: Timestamp) throws(Failure) -> Timestamp? {
        if let span { return now.advanced(bySeconds: Int64(span.seconds)) }
        guard let until else { return nil }
        do { return try TimeArgument.parse(until, now: now, zone: ZoneArgument.zone(zone)) } catch {
            // A span is not guessed to be one: --until 9m could be meant as nine in the morning.
            let span = until.hasPrefix("+") ? String(until.dropFirst()) : until
            guard Span(argument: span) != nil else { throw error }
            var failure = error
            failure.next = [("run", Invocation.command(adding: ["--for", span], without: ["--until"]))]
            throw failure
        }
    }
}
