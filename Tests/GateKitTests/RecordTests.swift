import Foundation
import GateTesting
import Testing

@testable import GateKit

/// Whatever was kept is read again at the next start, however large it has become.
@Suite struct RecordTests {
    @Test func aDocumentOfTheLargestSizeIsReadAgain() throws {
        let kept = KeptDocument(
            url: "https://gate.example/feed",
            etag: "\"a\"",
            signature: nil,
            body: Data(repeating: 0x20, count: 4_000_000)
        )
        #expect(try KeptDocument(kept.data) == kept)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // a temporary folder harms nobody
        let file = folder.appendingPathComponent("memory.json")
        try FileGateMemory(file: file).save(kept.data, as: "document")
        #expect(try FileGateMemory(file: file).load("document") == kept.data)
    }

    @Test func twoMemoriesOfOneFileLoseNothingOfEachOther() async throws {
        let folder = try TemporaryFolder()
        let file = URL(fileURLWithPath: folder.path + "/memory.json")
        let names = (0..<50).map(String.init)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for prefix in ["a", "b"] {
                group.addTask {
                    let memory = FileGateMemory(file: file)
                    for name in names { try memory.save(Data([1]), as: prefix + name) }
                }
            }
            try await group.waitForAll()
        }
        let memory = FileGateMemory(file: file)
        for name in names.flatMap({ ["a" + $0, "b" + $0] }) { #expect(try memory.load(name) == Data([1]), "\(name)") }
    }

    @Test func whatMonitorsOfOneFileStoreAtOnceIsAllThere() async throws {
        let folder = try TemporaryFolder()
        let texts = (0..<8).map { "Alert \($0)" }
        for round in 0..<20 {
            let file = URL(fileURLWithPath: folder.path + "/\(round).json")
            func bench(_ text: String) -> Bench {
                let alert = #""alert":{"message":"\#(text)","blocking":false}"#
                return Bench(Documents.native(alert), memory: FileGateMemory(file: file)) { $0.remembering = .all }
            }
            let benches = texts.map(bench)
            for bench in benches { await bench.monitor.start() }
            await withTaskGroup(of: Void.self) { group in
                for bench in benches { group.addTask { await bench.monitor.acknowledge(bench.monitor.decision) } }
            }
            for text in texts { #expect(await bench(text).monitor.start().decision.kind == .open, "\(text), round \(round)") }
        }
    }

    @Test func everythingThatWasEverPutAwayIsReadAgain() throws {
        var record = MonitorRecord()
        record.optionalVersions = (0..<3_000).map { "1.\($0)" }
        record.alerts = (0..<3_000).map { "Alert \($0)" }
        record.sequences = ["shop/ios": 42]
        (record.draw, record.drawUntil) = (9_999, 1_774_000_600)
        #expect(try MonitorRecord(record.data) == record)
    }
}
