import Foundation
import GateKit

/// What the app tells its phone: one word a line on standard input.
enum InputWords {
    /// The lines, until the input ends.
    static func lines() -> AsyncStream<String> {
        AsyncStream { continuation in
            // Reading blocks; it has a thread of its own.
            Thread.detachNewThread {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }

    static func tell(_ line: String, to monitor: GateMonitor) async {
        let word = line.trimmingCharacters(in: .whitespaces)
        switch word {
        case "": break
        case "foreground": await monitor.enterForeground()
        case "background": await monitor.enterBackground()
        case "check": await monitor.check()
        case "acknowledge": await monitor.acknowledge(await monitor.decision)
        case "later": await monitor.postpone(await monitor.decision)
        default:
            let names = "foreground, background, check, acknowledge, later"
            FileHandle.standardError.write(Data("gatekit-demo: there is no command \"\(word.prefix(40))\"; use \(names).\n".utf8))
        }
    }
}
