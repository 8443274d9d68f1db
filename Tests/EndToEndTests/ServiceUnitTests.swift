import Foundation
import Testing

/// R48: the unit under which the server runs leaves it little of the machine.
struct ServiceUnitTests {
    private static let unit = Programs.root.appendingPathComponent("deploy/systemd/gatehouse.service").path
    private static let backup = Programs.root.appendingPathComponent("deploy/systemd/gatehouse-backup.service").path
    private static let analyze = "/usr/bin/systemd-analyze"

    /// Twenty is an exposure of 2.0 on systemd's own scale of ten.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: analyze)))
    func systemdSeesNoMoreExposureThanTwoOfTen() async throws {
        for unit in [Self.unit, Self.backup] {
            let outcome = try await run(
                Self.analyze,
                ["security", "--offline=true", "--threshold=20", "--no-pager", unit],
                environment: Server.environment
            )
            #expect(outcome.status == 0, "\(outcome)")
        }
    }

    @Test func itKeepsNoCoreOfAMemoryThatHoldsSecrets() throws {
        let lines = try String(contentsOfFile: Self.unit, encoding: .utf8).split(separator: "\n")
        #expect(lines.contains("LimitCORE=0"))
        #expect(lines.contains("Environment=SWIFT_BACKTRACE=enable=no"))
        #expect(lines.contains("UMask=0077"))
        #expect(lines.contains("StartLimitIntervalSec=0"), "a server that failed five times is started a sixth time")
        // Without keep-alives a watchdog would kill a server that is well.
        #expect(!lines.contains { $0.hasPrefix("WatchdogSec=") })
    }
}
