import Foundation
import GateTesting
import Testing

/// What whoever follows changes is shown when the server cannot tell them one by one.
struct GatectlWatchTests {
    /// A restore drops the change that was seen last, so the server answers only that one has to begin anew.
    @Test(arguments: [["watch", "shop", "ios"], ["history", "shop", "--follow"]])
    func nothingIsMissedOverARestore(following: [String]) async throws {
        let gatectl = try await Gatectl.withShop()
        let place = try TemporaryFolder()
        let file = place.path + "/one.backup"
        let backup = ["backup", "--data", gatectl.server.data, "--out", file]
        #expect(try await run(Programs.gatehouse, backup, environment: Server.environment).status == 0)
        let terminal = try gatectl.onTerminal(following, with: ["NO_COLOR": "1"])
        try terminal.expect(following[0] == "watch" ? "Ctrl-C ends" : "created the platform")
        #expect(try await gatectl("alert", "shop", "ios", "-m", "Lost.").status == 0)
        try terminal.expect("shop/ios  2  alert")
        let address = String(gatectl.server.admin.dropFirst("http://".count))
        await gatectl.server.stop()
        #expect(try await gatectl.server.gatehouse("restore", "--from", file).status == 0)
        try await gatectl.server.start(admin: address)
        #expect(try await gatectl("alert", "shop", "ios", "-m", "x", "-r", "Kept").status == 0)
        try terminal.expect("restored from a backup")
        try terminal.expect("Kept")
        terminal.type("\u{3}")
        #expect(try terminal.finish() == 130)
    }

    /// Where the history is an older one too, a program is told so, and is shown what comes next.
    @Test func anOlderCopyOfTheDataIsToldToPrograms() async throws {
        let gatectl = try await Gatectl.withShop()
        let server = gatectl.server
        let place = try TemporaryFolder()
        let address = String(server.admin.dropFirst("http://".count))
        await server.stop()
        try FileManager.default.copyItem(atPath: server.data, toPath: place.path + "/older")
        try await server.start(admin: address)
        #expect(try await gatectl("alert", "shop", "ios", "-m", "Lost.").status == 0)
        let terminal = try gatectl.onTerminal("history", "--follow", "--json")
        try terminal.expect("Lost.")
        await server.stop()
        try FileManager.default.removeItem(atPath: server.data)
        try FileManager.default.moveItem(atPath: place.path + "/older", toPath: server.data)
        try await server.start(admin: address)
        try terminal.expect(#""reset":true"#)
        #expect(try await gatectl("alert", "shop", "ios", "-m", "Next.").status == 0)
        try terminal.expect("Next.")
        terminal.type("\u{3}")
        #expect(try terminal.finish() == 130)
    }
}
