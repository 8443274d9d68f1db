import GateCrypto
import GateJSON
import GateTesting
import Testing

@testable import GateService

@Suite struct FeedKeyRingTests {
    private let clock = TestClock()

    private func ring(_ count: Int) throws -> (ring: FeedKeyRing, ids: [String]) {
        var ring = FeedKeyRing()
        var ids: [String] = []
        for _ in 0..<count {
            clock.advance(seconds: 1)
            ids.append(try ring.add(random: .system, at: clock.now).id)
        }
        return (ring, ids)
    }

    private func states(_ ring: FeedKeyRing) -> [String] { ring.keys.map(\.state.rawValue) }

    @Test func theFirstKeySignsAndLaterOnesAreNext() throws {
        let (ring, ids) = try ring(3)
        #expect(states(ring) == ["active", "next", "next"])
        #expect(ring.active?.id == ids[0])
        #expect(Set(ids).count == 3)
    }

    @Test func activatingRetiresTheOneBefore() throws {
        var (ring, ids) = try ring(3)
        clock.advance(seconds: 60)
        #expect(try ring.activate(ids[1], at: clock.now))
        #expect(states(ring) == ["retired", "active", "next"])
        #expect(ring.keys.map { $0.since == clock.now } == [true, true, false])
        #expect(try !ring.activate(ids[1], at: clock.now), "it signs already")
        // Whoever was too early with the new one goes back.
        #expect(try ring.activate(ids[0], at: clock.now))
        #expect(states(ring) == ["active", "retired", "next"])
    }

    @Test func theKeyThatSignsIsNotRetiredByMistake() throws {
        var (ring, ids) = try ring(2)
        let withNext = try refusal { () throws(ServiceError) in _ = try ring.retire(ids[0], at: clock.now) }
        #expect(withNext?.word == "key_in_use")
        #expect(withNext?.detail.contains("gatehouse keys activate \(ids[1])") == true, "\(withNext?.detail ?? "")")
        #expect(try ring.retire(ids[1], at: clock.now))
        #expect(try !ring.retire(ids[1], at: clock.now), "it is retired already")
        let alone = try refusal { () throws(ServiceError) in _ = try ring.retire(ids[0], at: clock.now) }
        #expect(alone?.detail.contains("gatehouse keys add") == true, "\(alone?.detail ?? "")")
        #expect(states(ring) == ["active", "retired"])
        #expect(try ring.retire(ids[0], force: true, at: clock.now))
        #expect(ring.active == nil)
        // There are apps that know other keys by now.
        _ = try ring.add(random: .system, at: clock.now)
        #expect(states(ring) == ["retired", "retired", "next"])
    }

    @Test(arguments: ["", "21fe31dfa154a261", "next"]) func anUnknownKeyIsNamed(id: String) throws {
        var (ring, _) = try ring(1)
        for refused in [
            try refusal({ () throws(ServiceError) in _ = try ring.activate(id, at: clock.now) }),
            try refusal({ () throws(ServiceError) in _ = try ring.retire(id, force: true, at: clock.now) }),
        ] { #expect(refused?.word == "unknown_key" && refused?.code == .notFound) }
    }

    @Test func theOneRetiredForLongestGoesWhenThereAreTooMany() throws {
        var (ring, ids) = try ring(FeedKeyRing.most)
        let refused = try refusal { () throws(ServiceError) in _ = try ring.add(random: .system, at: clock.now) }
        #expect(refused?.word == "too_many_keys")
        #expect(ring.keys.count == FeedKeyRing.most)
        for index in [5, 3, 9] {
            clock.advance(seconds: 1)
            _ = try ring.retire(ids[index], at: clock.now)
        }
        _ = try ring.add(random: .system, at: clock.now)
        #expect(ring.keys.count == FeedKeyRing.most)
        #expect(!ring.keys.contains { $0.id == ids[5] })
        #expect(ring.keys.contains { $0.id == ids[3] })
    }

    /// A tool that is given it would take it for an option.
    @Test func noPublicKeyBeginsWithAHyphen() throws {
        for _ in 0..<8 { #expect(try !ring(FeedKeyRing.most).ring.keys.contains { $0.key.verifyingKey.text.hasPrefix("-") }) }
    }

    @Test func whatIsPublishedHoldsNoSecretAndIsInOrder() throws {
        var (ring, ids) = try ring(4)
        _ = try ring.activate(ids[2], at: clock.now)
        let text = ring.publicDocument.text
        let published = try JSONReader.read(Array(text.utf8)).object?["keys"]?.array ?? []
        #expect(published.map { $0.object?["id"]?.string } == [ids[2], ids[1], ids[3], ids[0]])
        #expect(published.map { $0.object?["state"]?.string } == ["active", "next", "next", "retired"])
        #expect(published.allSatisfy { $0.object?.names == ["id", "algorithm", "publicKey", "state"] })
        for key in ring.keys { #expect(!text.contains(key.key.secretText)) }
        #expect(FeedKeyRing().publicDocument.text == #"{"keys":[]}"#)
    }

    @Test func whatIsKeptReadsBack() throws {
        var (ring, ids) = try ring(3)
        _ = try ring.activate(ids[1], at: clock.now)
        for ring in [ring, FeedKeyRing()] {
            let read = try #require(FeedKeyRing(secretDocument: JSONReader.read(ring.secretDocument.bytes)))
            #expect(read.secretDocument == ring.secretDocument)
            #expect(read.active?.key.sign([1, 2]) == ring.active?.key.sign([1, 2]))
        }
    }

    /// Whatever happens to the file: the same keys with the same states are read from it, or none.
    @Test func aFlippedBitNeverMakesAnotherKeyOrState() throws {
        var (ring, ids) = try ring(3)
        _ = try ring.activate(ids[1], at: clock.now)
        let whole = ring.secretDocument.bytes
        var refused = 0
        for index in whole.indices {
            for bit in 0..<8 {
                var damaged = whole
                damaged[index] ^= 1 << bit
                guard let document = try? JSONReader.read(damaged), let read = FeedKeyRing(secretDocument: document) else {
                    refused += 1
                    continue
                }
                #expect(read.keys.map(\.id) == ids && states(read) == states(ring), "bit \(bit) of byte \(index)")
            }
        }
        // Digits of the times are the only ones that mean nothing.
        #expect(refused > whole.count * 7)
    }

    static let unlike: [(what: String, member: String, value: String?)] = [
        ("two that sign", "state", "active"), ("no state", "state", nil), ("an unknown state", "state", "new"),
        ("another id", "id", "21fe31dfa154a261"), ("another algorithm", "algorithm", "RSA"),
        ("another public key", "publicKey", "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"),
        ("another seed", "seed", "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"), ("a member more", "more", ""),
        ("no time", "since", "yesterday"),
    ]

    @Test(arguments: unlike.indices) func whatWasNotWrittenIsNotRead(index: Int) throws {
        let ring = try ring(2).ring
        var object = try #require(ring.secretDocument.object)
        var items = try #require(object["keys"]?.array)
        var item = try #require(items[1].object)
        item[Self.unlike[index].member] = Self.unlike[index].value.map(JSONValue.string) ?? .null
        items[1] = .object(item)
        object["keys"] = .array(items)
        #expect(FeedKeyRing(secretDocument: .object(object)) == nil, "\(Self.unlike[index].what)")
    }

    private func refusal(_ body: () throws(ServiceError) -> Void) throws -> ServiceError? {
        do throws(ServiceError) {
            try body()
            return nil
        } catch { return error }
    }
}
