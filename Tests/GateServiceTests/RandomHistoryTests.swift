import GateJSON
import GateModel
import GateStore
import GateTesting
import Testing

@testable import GateService

/// Random commands against a plain model of what they should do; then the store is opened anew and everything compared again.
@Suite struct RandomHistoryTests {
    @Test(arguments: 1...6) func theServiceDoesWhatThePlainModelDoes(seed: UInt64) throws {
        let house = try House()
        var model = Model()
        var random = SeededGenerator(seed: seed)
        for step in 0..<150 {
            house.clock.advance(seconds: 1)
            let act = model.act(&random)
            let expected = model.perform(act)
            let outcome: String
            do {
                let command = try act.command(model.revisionsBefore)
                let plan = try house.submit(command, WriteTerms(dryRun: true)).plan
                let change = try house.submit(command, WriteTerms(confirm: plan.confirm)).change
                outcome =
                    change.map { "\($0.sequence) \($0.kind) \($0.targets.map { "\($0.target) \($0.previous)>\($0.revision)" })" }
                    ?? "unchanged"
            } catch let error as ServiceError { outcome = error.word }
            #expect(outcome == expected, "seed \(seed), step \(step): \(act)")
            if outcome != expected { return }
        }
        try compare(house, model)

        let live = try house.snapshot()
        let killed = try house.killed()
        #expect(try killed.snapshot() == live)
        try compare(killed, model)
        try killed.close()
        #expect(try Store.verify(directory: killed.folder, server: killed.address, migrations: House.migrations) == [])
    }

    private func compare(_ house: House, _ model: Model) throws {
        let apps = house.ledger.apps(for: .admin)
        #expect(apps.map(\.key.text) == model.apps.keys.sorted())
        var targets: [String: Model.Target] = [:]
        for app in apps {
            for target in app.platforms.values {
                targets[target.key.description] = Model.Target(
                    gate: Model.rules(of: target.gate),
                    interval: target.settings.defaultRetryInterval,
                    revision: target.revision
                )
            }
            let published = try PublishedApp(rendering: app)
            for feed in published.feeds { #expect(house.sink.bytes[feed.path] == feed.bytes) }
        }
        #expect(targets == model.targets)
        #expect(house.sink.bytes.count == apps.reduce(0) { $0 + (try! PublishedApp(rendering: $1).feeds.count) })
        let history = try house.ledger.history(ChangeQuery(limit: 500), for: .admin).changes.reversed()
        #expect(history.map { "\($0.sequence) \($0.kind) \($0.targets.map { "\($0.target) \($0.previous)>\($0.revision)" })" } == model.log)
        for change in history {
            for target in change.targets {
                #expect(Model.rules(of: target.after) == model.gates[target.target.description]?[target.revision])
            }
        }
    }
}

/// One thing that somebody asks for.
enum Act {
    case createApp(String)
    case put(String, interval: Int?)
    case set([String], rules: [String: String?], isStale: Bool)
    case revert(String, to: Int)
    case deletePlatform(String)
    case deleteApp(String)

    func command(_ revisions: [String: Int]) throws -> Command {
        switch self {
        case .createApp(let app): return .createApp(AppKey(app)!, name: app)
        case .put(let target, let interval):
            return .putPlatform(TargetKey(target)!, settings: interval.map { ["defaultRetryInterval": .integer($0)] } ?? [:])
        case .set(let targets, let rules, let isStale):
            let json = "{" + rules.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value ?? "null")" }.joined(separator: ",") + "}"
            return try .set(targets.map { ($0, (revisions[$0] ?? 1) - (isStale ? 1 : 0)) }, json)
        case .revert(let target, let revision): return .revert(target, revisions[target] ?? 1, to: revision)
        case .deletePlatform(let target): return .deletePlatform(TargetKey(target)!)
        case .deleteApp(let app): return .deleteApp(AppKey(app)!)
        }
    }
}

/// What the service should do, in dictionaries.
struct Model {
    struct Target: Equatable {
        var gate: [String: String]
        var interval: Int
        var revision: Int
    }

    var apps: [String: Set<String>] = [:]
    var targets: [String: Target] = [:]
    var retired: [String: Int] = [:]
    /// The gate that each revision of each target left.
    var gates: [String: [Int: [String: String]]] = [:]
    var log: [String] = []
    /// What the asker of the last act saw.
    var revisionsBefore: [String: Int] = [:]

    static func rules(of gate: Gate) -> [String: String] {
        var rules: [String: String] = [:]
        for rule in Rule.allCases { rules[rule.rawValue] = gate.json(of: rule)?.text }
        return rules
    }

    func act(_ random: inout SeededGenerator) -> Act {
        let app = ["shop", "bank", "news"].randomElement(using: &random)!
        let target = "\(app)/\(["ios", "android", "tv"].randomElement(using: &random)!)"
        let known = targets.keys.sorted()
        switch Int.random(in: 0..<20, using: &random) {
        case 0: return .createApp(app)
        case 1...3: return .put(target, interval: Bool.random(using: &random) ? [15, 30, 60].randomElement(using: &random) : nil)
        case 4: return .deletePlatform(target)
        case 5: return Int.random(in: 0..<3, using: &random) == 0 ? .deleteApp(app) : .createApp(app)
        case 6...8:
            let one = known.randomElement(using: &random) ?? target
            return .revert(one, to: Int.random(in: 0...((targets[one]?.revision ?? 1) + 1), using: &random))
        default:
            var chosen = Set((0..<Int.random(in: 1...3, using: &random)).compactMap { _ in known.randomElement(using: &random) })
            if chosen.isEmpty || Int.random(in: 0..<15, using: &random) == 0 { chosen.insert(target) }
            return .set(chosen.sorted(), rules: Self.rules(&random), isStale: Int.random(in: 0..<12, using: &random) == 0)
        }
    }

    private static func rules(_ random: inout SeededGenerator) -> [String: String?] {
        let text = #"{"message":"m\#(Int.random(in: 0..<3, using: &random))""#
        let all: [(String, String)] = [
            ("killSwitch", text + #","retryInterval":30}"#),
            ("forceUpdate", text + "}"),
            ("requiredUpdate", #"{"minimumVersion":"\#(Int.random(in: 1...5, using: &random))","message":"r"}"#),
            ("optionalUpdate", #"{"optionalVersion":"\#(Int.random(in: 6...9, using: &random))","message":"o"}"#),
            ("alert", text + #","blocking":\#(Bool.random(using: &random))}"#),
        ]
        var rules: [String: String?] = [:]
        for (name, json) in all where Int.random(in: 0..<3, using: &random) == 0 {
            rules.updateValue(Bool.random(using: &random) ? json : nil, forKey: name)
        }
        return rules
    }

    /// What the service should answer: a refusal's word, `unchanged`, or the change.
    mutating func perform(_ act: Act) -> String {
        revisionsBefore = targets.mapValues(\.revision)
        switch act {
        case .createApp(let app):
            guard apps[app] == nil else { return "exists" }
            apps[app] = []
            return note("create", [])
        case .put(let target, let interval):
            let (app, platform) = split(target)
            guard apps[app] != nil else { return "app_not_found" }
            if var present = targets[target] {
                guard let interval, interval != present.interval else { return "unchanged" }
                present.interval = interval
                return note("settings", [become(target, present)])
            }
            apps[app]?.insert(platform)
            let first = Target(gate: [:], interval: interval ?? 15, revision: retired.removeValue(forKey: target) ?? 0)
            return note("create", [become(target, first, previous: 0)])
        case .set(let names, let rules, let isStale):
            guard names.allSatisfy({ targets[$0] != nil }) else { return "target_not_found" }
            if isStale { return "stale_revision" }
            var changed: [String] = []
            for name in names {
                var target = targets[name]!
                for (rule, json) in rules { target.gate[rule] = json }
                if target.gate != targets[name]!.gate { changed.append(become(name, target)) }
            }
            return changed.isEmpty ? "unchanged" : note("set", changed)
        case .revert(let name, let revision):
            guard var target = targets[name] else { return "target_not_found" }
            guard let gate = gates[name]?[revision] else { return "revision_not_found" }
            guard gate != target.gate else { return "unchanged" }
            target.gate = gate
            return note("revert", [become(name, target)])
        case .deletePlatform(let name):
            guard targets[name] != nil else { return "target_not_found" }
            return note("delete", [remove(name)])
        case .deleteApp(let app):
            guard let platforms = apps[app] else { return "app_not_found" }
            let removed = platforms.sorted().map { remove("\(app)/\($0)") }
            apps[app] = nil
            return note("delete", removed)
        }
    }

    private func split(_ target: String) -> (String, String) {
        let parts = target.split(separator: "/").map(String.init)
        return (parts[0], parts[1])
    }

    private mutating func become(_ name: String, _ target: Target, previous: Int? = nil) -> String {
        var target = target
        target.revision += 1
        targets[name] = target
        gates[name, default: [:]][target.revision] = target.gate
        return "\(name) \(previous ?? target.revision - 1)>\(target.revision)"
    }

    private mutating func remove(_ name: String) -> String {
        let (app, platform) = split(name)
        let target = targets.removeValue(forKey: name)!
        apps[app]?.remove(platform)
        retired[name] = target.revision + 1
        gates[name]![target.revision + 1] = [:]
        return "\(name) \(target.revision)>\(target.revision + 1)"
    }

    private mutating func note(_ kind: String, _ targets: [String]) -> String {
        log.append("\(log.count + 1) \(kind) \(targets)")
        return log.last!
    }
}
