import Foundation
import GateJSON
import GateModel
import Testing

@Suite struct HerdTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The table of deploy/CAPACITY.md, number by number: all phones on Bellerophon, and no time from a poll to its answer.
    @Test func theTableOfThePageIsTheFormulas() throws {
        let page = try String(contentsOf: Self.root.appending(path: "deploy/CAPACITY.md"), encoding: .utf8)
        let lines = page.split(separator: "\n").map(String.init)
        let head = try #require(lines.firstIndex { $0.hasPrefix("| *F* | every 5 s") })
        let intervals = Self.numbers(lines[head])
        #expect(intervals == [5, 15, 30, 60, 300, 3600])
        let rows = lines[(head + 2)...].prefix { $0.hasPrefix("| ") }
        #expect(rows.count == 4)
        for row in rows {
            let numbers = Self.numbers(row)
            try #require(numbers.count == intervals.count + 1)
            for (interval, told) in zip(intervals, numbers.dropFirst()) {
                let rate = Herd(phones: Double(numbers[0])).pollsPerSecond(every: interval)
                #expect(Int(rate.rounded()) == told, "\(numbers[0]) phones every \(interval) s")
            }
        }
    }

    /// What the simulation is held against is this formula, and not one of its own.
    @Test func theSimulationsFormulaIsTheSame() throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", Self.root.appending(path: "Tests/Benchmarks/herd.py").path, "--formula"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        let cases = try #require(try JSONReader.read(String(decoding: said, as: UTF8.self)).array)
        #expect(cases.count >= 12)
        for one in cases {
            let one = try #require(one.object)
            let (phones, interval) = (try #require(one["phones"]?.integer), try #require(one["interval"]?.integer))
            let told = try Self.double(one["pollsPerSecond"])
            let trip = try Self.double(one["trip"])
            let herd = Herd(phones: Double(phones))
            #expect(abs(herd.pollsPerSecond(every: interval, trip: trip) / told - 1) < 1e-9, "\(phones) phones every \(interval) s")
        }
    }

    @Test func withoutPhonesThereIsNoLoad() {
        #expect(PollLoad([]) == nil)
        #expect(PollLoad([(Herd(phones: 0), 5)]) == nil)
        #expect(ClientLibrary.allCases.filter(\.asksAgain) == [.bellerophon, .gatekit])
    }

    @Test(arguments: [
        // One target: the next longer of 60, 300 and 3600 seconds beside its own.
        ([(1_200, 15)], 80, PollLoad.Slower(retryInterval: 60, pollsPerSecond: 20)),
        ([(1_200, 60)], 20, PollLoad.Slower(retryInterval: 300, pollsPerSecond: 4)),
        ([(1_200, 3600)], 1, nil),
        // Less than one is told as one, and then a longer interval is of no use.
        ([(3, 15)], 1, nil),
        // Several: those that ask less often already stay as they are.
        ([(1_200, 15), (36_000, 300)], 200, PollLoad.Slower(retryInterval: 60, pollsPerSecond: 140)),
    ])
    func aLoadTellsTheNextLongerInterval(_ herds: [(phones: Int, interval: Int)], polls: Int, slower: PollLoad.Slower?) throws {
        let load = try #require(PollLoad(herds.map { (Herd(phones: Double($0.phones)), $0.interval) }))
        #expect(load.phones == herds.reduce(0) { $0 + $1.phones })
        #expect(load.pollsPerSecond == polls)
        #expect(load.slower == slower)
        #expect(try PollLoad(json: load.json) == load)
    }

    private static func double(_ value: JSONValue?) throws -> Double {
        guard case .number(let text) = value else { throw ModelError.malformed("no number") }
        return try #require(Double(text))
    }

    private static func numbers(_ row: String) -> [Int] {
        row.replacing(",", with: "").split { !$0.isNumber }.compactMap { Int($0) }
    }
}
