import ArgumentParser
import Foundation
import GateKit

/// Behaves like a phone: watches one feed with GateKit and prints, as one JSON line per event, what its user sees.
@main struct GateKitDemo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gatekit-demo",
        abstract: "A phone on the command line: watches a feed with GateKit and prints what its user sees.",
        discussion: """
            Each event is one JSON line on standard output: {"event":"state",…} when what is shown changes, with "diagnostics" if a part of \
            the document cannot be read and is left out; {"event":"error",…} when a check brings nothing, or when something cannot be \
            remembered. Lines on standard input are the app's own events: foreground, background, check, acknowledge, later. While the \
            phone is let in, foreground and check do nothing until --minimum-spacing after the last check.

            EXAMPLE
              gatekit-demo --feed http://127.0.0.1:8081/feeds/shop/ios/gate.json --version 4.1 --locale de-AT
            """
    )

    @Option(help: "The feed's address; its shape is recognised from the document.")
    var feed: URLArgument

    @Option(help: "The installed version.")
    var version: String?

    @Option(help: "The build's number, which version codes are compared with.")
    var build: String?

    @Option(help: "The version of the system, such as 17.2, or Android's API level.")
    var os: String?

    @Option(help: "The language of the person, such as de-AT.")
    var locale: String?

    // Of 64 keys one begins with a hyphen, and would be taken for an option.
    @Option(
        parsing: .unconditionalSingleValue,
        help: "A server's public key, 43 characters; repeat it for more. Only feeds that one of them signed are accepted."
    )
    var key: [KeyArgument] = []

    @Option(help: "Where to remember what was dismissed and the last good document; without it, nothing is remembered.")
    var memory: String?

    @Option(help: "Time between two checks of a phone that is let in.")
    var minimumSpacing: DurationArgument = DurationArgument(seconds: 30)

    @Option(help: "How long one check may take.")
    var timeout: DurationArgument = DurationArgument(seconds: 10)

    @Flag(help: "Check once and end: status 0, or 1 when the check brought nothing.")
    var once = false

    func run() async throws {
        var configuration = GateConfiguration(feed: feed.url)
        configuration.keys = key.map(\.key)
        configuration.minimumSpacing = minimumSpacing.seconds
        configuration.timeout = timeout.seconds
        let memory: any GateMemory = memory.map { FileGateMemory(file: URL(fileURLWithPath: $0)) } ?? InMemoryGateMemory()
        let phone = GatePhone(
            version: version,
            build: build,
            osVersion: os,
            languages: locale.map { [$0] } ?? [],
            installID: GatePhone.current(memory: memory).installID
        )
        let monitor = GateMonitor(configuration, phone: phone, memory: memory)
        let events = await monitor.events()
        let telling = Task {
            var failed = false
            for await event in events {
                guard let line = EventLine(event) else { continue }
                failed = failed || line.isFailure
                FileHandle.standardOutput.write(Data((line.text + "\n").utf8))
            }
            return failed
        }
        guard !once else {
            await monitor.start()
            await monitor.end()
            if await telling.value { throw ExitCode(1) }
            return
        }
        let words = InputWords.lines()
        Task { await monitor.start() }
        for await word in words { await InputWords.tell(word, to: monitor) }
        // The app's own events may end; the phone goes on until it is switched off.
        _ = await telling.value
    }
}
