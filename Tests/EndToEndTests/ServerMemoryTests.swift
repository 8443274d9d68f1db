import Foundation
import GateAPI
import GateAdminClient
import GateJSON
import GateModel
import Testing

/// R56 at the real server: what people may ask for all at once fits into the memory that the unit gives it.
struct ServerMemoryTests {
    private static func edit(_ round: Int) -> GateEdit {
        let languages = (0..<48).map { ("de-x\($0)", JSONValue.string("\(round) " + String(repeating: "x", count: 470))) }
        let message = JSONValue.object(JSONObject(uniqueMembers: [("default", .string("a"))] + languages))
        return GateEdit([.alert: ["message": message, "blocking": .bool(false)]])
    }

    /// Each change has 48 KiB, before and after; together they are ten times what is kept of them.
    @Test(.timeLimit(.minutes(5))) func twelveReadersOfAllNewsStayWithinBounds() async throws {
        let server = try await Server.withShop()
        let client = try server.client()
        for round in 1...400 {
            let target = TargetRef(app: "shop", platform: "ios", revision: round)
            _ = try await client.commit(ChangeRequest(targets: [target], content: .set(Self.edit(round))))
        }
        let before = try server.peakMemory()
        let last = 3 + 400
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<12 {
                group.addTask {
                    for _ in 0..<5 {
                        for path in [
                            "/api/v1/events?after=\(last - 100)", "/api/v1/changes?limit=500", "/api/v1/targets", "/api/v1/export",
                        ] {
                            let answer = try await client.raw(path)
                            #expect(answer.status == 200)
                            #expect(answer.body.count <= 2_097_152, "\(path): \(answer.body.count)")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let peak = try server.peakMemory()
        #expect(peak < 256 << 20, "from \(before >> 20) to \(peak >> 20) MiB")
    }
}
