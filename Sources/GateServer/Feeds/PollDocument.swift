import GateHTTP
import GateJSON
import GateModel

/// What one server counted, as it tells the others that share its database.
///
/// An object with the member `format`, 1, and two more. `feeds` has an array for each feed's path: its entity tag; the confirmed, replaced
/// and fetched polls of that revision; the same for the last minute; when a poll last carried an older revision, and when there was any
/// poll last, in milliseconds since 1970 by that server's clock, or null. `versions` has an object for each target: `named`, with the polls
/// of the last hour and of the last day by version, and `others` with the same pair.
///
/// Writing and reading are both bounded by `SharedPolls.mostBytes`. Where that is not enough, only the most polled feeds and targets are
/// told. Members that are not in this form are skipped when reading.
struct PollDocument: Sendable, Hashable {
    var feeds: [String: ToldTrack] = [:]
    var versions: [TargetKey: ToldVersions] = [:]

    private static let format = 1

    // MARK: Writing

    /// The document's bytes: the same for the same numbers.
    /// - Parameter mostBytes: a quarter of it is kept free for the versions, if they need it.
    func bytes(atMost mostBytes: Int = SharedPolls.mostBytes) -> [UInt8] {
        var bytes = Array(#"{"format":\#(Self.format),"feeds":{"#.utf8)
        var rest = Array(#"},"versions":{"#.utf8)
        let end = Array("}}".utf8)
        let targets = versions.map { target, told in
            Member(target.description, Self.value(told), polls: UInt64(told.named.values.reduce(told.others.day) { $0 + $1.day }))
        }
        Self.append(targets, to: &rest, atMost: mostBytes / 4 - end.count)
        rest += end
        let feeds = feeds.map { Member($0.key, Self.value($0.value), polls: $0.value.minute.total) }
        Self.append(feeds, to: &bytes, atMost: mostBytes - rest.count)
        return bytes + rest
    }

    /// A name and its value, as they are written.
    private struct Member {
        let name: String
        let bytes: [UInt8]
        let polls: UInt64

        init(_ name: String, _ value: JSONValue, polls: UInt64) {
            self.name = name
            self.polls = polls
            bytes = JSONValue.string(name).bytes + [UInt8(ascii: ":")] + value.bytes
        }
    }

    /// Appends members in the order of their names: all of them, or as many of those with the most polls as have room.
    private static func append(_ members: [Member], to bytes: inout [UInt8], atMost mostBytes: Int) {
        var (room, chosen) = (mostBytes - bytes.count, members)
        if members.reduce(0, { $0 + $1.bytes.count + 1 }) > room {
            chosen = members.sorted { ($1.polls, $0.name) < ($0.polls, $1.name) }.filter { member in
                guard member.bytes.count < room else { return false }
                room -= member.bytes.count + 1
                return true
            }
        }
        var isFirst = true
        for member in chosen.sorted(by: { $0.name < $1.name }) {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            bytes += member.bytes
        }
    }

    private static func value(_ track: ToldTrack) -> JSONValue {
        let counts = [track.whole, track.minute].flatMap { [$0.confirmed, $0.replaced, $0.fetched] }
        let times = [track.lastStale, track.lastPolled].map { $0.map { JSONValue.integer($0.milliseconds) } ?? .null }
        return .array([.string(track.tag)] + counts.map { .integer($0) } + times)
    }

    private static func value(_ told: ToldVersions) -> JSONValue {
        func pair(_ polls: ToldVersions.Polls) -> JSONValue { .array([.integer(polls.hour), .integer(polls.day)]) }
        let named = told.named.sorted { $0.key < $1.key }.map { (name: $0.key, value: pair($0.value)) }
        return .object(
            JSONObject(uniqueMembers: [("named", .object(JSONObject(uniqueMembers: named))), ("others", pair(told.others))])
        )
    }

    // MARK: Reading

    init(feeds: [String: ToldTrack] = [:], versions: [TargetKey: ToldVersions] = [:]) {
        self.feeds = feeds
        self.versions = versions
    }

    /// The most polls of a version within a day that are believed: sums of these cannot overflow.
    private static let mostVersionPolls = 1 << 40

    /// - Parameter told: a document of another server, whose clock may differ.
    /// - Parameter now: by this server's clock, to which the times are converted.
    /// - Returns: nil for a document that cannot be read, or comes from a newer release.
    init?(_ told: SharedPolls, at now: Timestamp) {
        let limits = JSONReader.Limits(bytes: SharedPolls.mostBytes, depth: 5, members: 1_000_000)
        // Losing the error is safe: whoever wrote the document has a log of its own, and nothing is decided by it.
        guard let document = try? JSONReader.read(told.document, limits: limits), let object = document.object,
            object["format"]?.integer == Self.format
        else { return nil }
        /// Converts a time by the other server's clock; nil for what is not a time.
        func moment(_ value: JSONValue) -> Timestamp? {
            guard let time = value.integer, 0...ReachTracker.greatestCount ~= time, 0...Int64(ReachTracker.greatestCount) ~= told.age,
                0...Int64(ReachTracker.greatestCount) ~= told.countedAt.milliseconds
            else { return nil }
            let age = told.age + max(0, told.countedAt.milliseconds - Int64(time))
            return Timestamp(milliseconds: now.milliseconds - age)
        }
        for (path, value) in object["feeds"]?.object?.members ?? [] {
            guard let items = value.array, items.count >= 9, let tag = items[0].string else { continue }
            let counts = items[1...6].compactMap(\.integer).filter { 0...ReachTracker.greatestCount ~= $0 }.map(UInt64.init)
            guard counts.count == 6 else { continue }
            feeds[path] = ToldTrack(
                tag: tag,
                whole: PollCounts(confirmed: counts[0], replaced: counts[1], fetched: counts[2]),
                minute: PollCounts(confirmed: counts[3], replaced: counts[4], fetched: counts[5]),
                lastStale: moment(items[7]),
                lastPolled: moment(items[8])
            )
        }
        for (name, value) in object["versions"]?.object?.members ?? [] {
            guard let target = TargetKey(name), let value = value.object, let others = Self.polls(value["others"]) else { continue }
            var versions = ToldVersions(others: others)
            // No server tells more versions apart.
            for (version, polls) in value["named"]?.object?.members.prefix(VersionTally.mostPerTarget) ?? [] {
                versions.named[version] = Self.polls(polls)
            }
            self.versions[target] = versions
        }
    }

    private static func polls(_ value: JSONValue?) -> ToldVersions.Polls? {
        let numbers = value?.array?.compactMap(\.integer).filter { 0...mostVersionPolls ~= $0 } ?? []
        return numbers.count >= 2 ? ToldVersions.Polls(hour: numbers[0], day: numbers[1]) : nil
    }
}
