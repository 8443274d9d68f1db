import GateJSON
import GateModel
import GateStore
import GateTesting
import Testing

@testable import GateService

/// Random windows, edits, restarts, failing commits and steps of the clock against a plain model of what a schedule should do: the final
/// gates are the model's, and no step of a window and no expiry is ever made twice.
@Suite struct RandomScheduleTests {
    @Test(arguments: 1...6) func everyStepHappensExactlyOnce(seed: UInt64) throws {
        var house = try House()
        try house.add("shop", "ios", "android")
        var random = SeededGenerator(seed: seed &* 7_919)
        var model = ScheduleModel(now: house.clock.now.milliseconds)
        for step in 0..<120 {
            let act = model.act(&random)
            try perform(act, house, &model)
            if case .restart = act { house = try house.killed() }
            let (expected, found) = (model.summary, try summary(house))
            #expect(found == expected, "seed \(seed), step \(step): \(act)")
            if found != expected { return }
        }
        let requests = try house.ledger.history(ChangeQuery(limit: 500), for: .admin).changes.filter { $0.actor.kind == .system }.map(
            \.requestId
        )
        #expect(Set(requests).count == requests.count)
        #expect(requests.sorted() == model.requests.sorted())
        try house.close()
        #expect(try Store.verify(directory: house.folder, server: house.address, migrations: House.migrations) == [])
    }

    private func perform(_ act: ScheduleModel.Act, _ house: House, _ model: inout ScheduleModel) throws {
        switch act {
        case .make(let targets, let set, let start, let end, let restores):
            let draft = try house.draft(targets, set: json(set), in: start, until: end, then: restores ? .restore : .open)
            let plan = try house.make(draft, WriteTerms(dryRun: true)).plan
            try house.make(draft, WriteTerms(confirm: plan?.confirm))
            model.make(targets, set, start, end, restores)
        case .set(let target, let set):
            try house.set(target, to: json(set))
            model.set(target, set)
        case .cancel(let id):
            _ = try house.schedule.cancel(id, by: .operator)
            model.cancel(id)
        case .pass(let seconds):
            house.clock.advance(seconds: seconds)
            model.now += seconds * 1_000
        case .restart: break
        case .fail(let step):
            house.fault.fail(at: step)
            house.schedule.doWhatIsDue()
            house.fault.mend()
        }
        if case .restart = act { return }
        house.schedule.doWhatIsDue()
        model.doWhatIsDue()
    }

    private func json(_ set: [Rule: ScheduleModel.Value?]) -> String {
        "{"
            + set.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\"\($0.key.rawValue)\":\($0.value?.json ?? "null")" }.joined(
                separator: ","
            ) + "}"
    }

    private func summary(_ house: House) throws -> [String] {
        var lines: [String] = []
        for key in ["shop/android", "shop/ios"] {
            let target = try house.target(key)
            lines.append(
                "\(key) \(target.gate.json(of: .killSwitch)?.text ?? "-") \(target.gate.json(of: .alert)?.text ?? "-") \(target.revision)"
            )
        }
        for window in try house.schedule.windows(WindowQuery(limit: 500), for: .admin).windows.reversed() {
            lines.append("\(window.id) \(window.state)")
        }
        return lines
    }
}

/// What a schedule does, said once more without transactions, locks and JSON.
struct ScheduleModel {
    struct Value: Hashable {
        var text: String
        var blocks: Bool
        var until: Int64?
        var isAlert: Bool

        var json: String {
            if isAlert { return #"{"message":"\#(text)","blocking":\#(blocks)}"# }
            let end = until.map { #","until":"\#(Timestamp(milliseconds: $0))""# } ?? ""
            return #"{"message":"\#(text)","retryInterval":30\#(end)}"#
        }
    }

    typealias Rules = [Rule: Value?]

    enum Act {
        case make([String], Rules, Int64, Int64?, restores: Bool)
        case set(String, Rules)
        case cancel(Int)
        case pass(Int64)
        case restart
        case fail(StoreConfiguration.CommitStep)
    }

    struct Window {
        let id: Int
        var state = "pending"
        let targets: [String]
        let set: Rules
        let start: Int64
        let end: Int64?
        let restores: Bool
        var expected: [String: [Rule: Value]]
        let made: [String: [Rule: Value]]
        var before: [String: [Rule: Value]] = [:]
        var started: Int64?
        /// How many steps the clock had made with its start; nil when there was nothing to change.
        var startStep: Int?
        var due: Int64? { state == "pending" ? start : state == "running" ? end : nil }

        func expects(_ value: Value?, of rule: Rule, on target: String) -> Bool {
            value == expected[target]![rule] || state == "pending" && value == made[target]![rule]
        }
    }

    var now: Int64
    var gates: [String: [Rule: Value]] = ["shop/ios": [:], "shop/android": [:]]
    var revisions = ["shop/ios": 1, "shop/android": 1]
    var windows: [Window] = []
    var requests: [String] = []
    private var texts = 0

    init(now: Int64) { self.now = now }

    // MARK: What people do

    mutating func act(_ random: inout SeededGenerator) -> Act {
        func below(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
        let targets = ["shop/ios", "shop/android"]
        switch below(20) {
        case 0..<5:
            let start = Int64(1 + below(900))
            let end: Int64? = below(3) == 0 ? nil : start + Int64(1 + below(900))
            let set = rules(&random, from: start)
            let opensNothing = set.values.allSatisfy { $0 == nil }
            let restores = below(2) == 0 || opensNothing
            return .make(below(3) == 0 ? targets : [targets[below(2)]], set, start, end, restores: restores)
        case 5..<8: return .set(targets[below(2)], rules(&random, from: 0))
        case 8:
            guard let window = windows.last(where: { ["pending", "running", "missed"].contains($0.state) }) else { return .pass(1) }
            return .cancel(window.id)
        case 9..<15: return .pass(Int64(1 + below(300)))
        case 15: return .pass(Int64(600 + below(1_500)))
        case 16: return .pass(-Int64(below(400)))
        case 17: return .fail(StoreConfiguration.CommitStep.allCases[below(StoreConfiguration.CommitStep.allCases.count)])
        default: return .restart
        }
    }

    private mutating func rules(_ random: inout SeededGenerator, from start: Int64) -> Rules {
        func below(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
        texts += 1
        var rules: Rules = [:]
        if below(3) > 0 {
            let until = below(3) == 0 ? now + (start + Int64(1 + below(600))) * 1_000 : nil
            rules.updateValue(
                below(4) == 0 ? nil : Value(text: "k\(texts)", blocks: true, until: until, isAlert: false),
                forKey: .killSwitch
            )
        }
        if rules.isEmpty || below(3) == 0 {
            rules.updateValue(
                below(4) == 0 ? nil : Value(text: "a\(texts)", blocks: below(2) == 0, until: nil, isAlert: true),
                forKey: .alert
            )
        }
        return rules
    }

    mutating func make(_ targets: [String], _ set: Rules, _ start: Int64, _ end: Int64?, _ restores: Bool) {
        let expected = Dictionary(uniqueKeysWithValues: targets.map { ($0, gates[$0]!.filter { set.keys.contains($0.key) }) })
        windows.append(
            Window(
                id: windows.count + 1,
                targets: targets,
                set: set,
                start: now + start * 1_000,
                end: end.map { now + $0 * 1_000 },
                restores: restores,
                expected: expected,
                made: expected
            )
        )
    }

    mutating func set(_ target: String, _ set: Rules) {
        let before = gates[target]!
        for (rule, value) in set { gates[target]![rule] = value }
        if gates[target]! != before { revisions[target]! += 1 }
    }

    mutating func cancel(_ id: Int) { windows[id - 1].state = "cancelled" }

    // MARK: What the clock does

    mutating func doWhatIsDue() {
        while true {
            let lift = gates.compactMap { target, gate in gate[.killSwitch]?.until.map { ($0, target) } }.filter { $0.0 <= now }.min {
                $0 < $1
            }
            // Of one moment, ends come first.
            func order(_ window: Window) -> (Int64, Int, Int) { (window.due!, window.state == "running" ? 0 : 1, window.id) }
            let window = windows.filter { $0.due.map { $0 <= now } ?? false }.min { order($0) < order($1) }
            if let lift, window.map({ lift.0 <= $0.due! }) ?? true {
                requests.append("expiry-\(lift.1.replacing("/", with: "-"))-\(revisions[lift.1]!)")
                apply([lift.1: gates[lift.1]!.filter { $0.key != .killSwitch }], except: nil)
            } else if let window {
                advance(window.id - 1)
            } else {
                return
            }
        }
    }

    /// Gates that the clock changes; other windows take it as no person's doing.
    private mutating func apply(_ changed: [String: [Rule: Value]], except id: Int?) {
        for (target, gate) in changed where gate != gates[target]! {
            for index in windows.indices
            where windows[index].id != id && windows[index].due != nil && windows[index].targets.contains(target) {
                for rule in windows[index].set.keys where gates[target]![rule] != gate[rule] {
                    guard windows[index].expects(gates[target]![rule], of: rule, on: target) else { continue }
                    windows[index].expected[target]![rule] = gate[rule]
                }
            }
            gates[target] = gate
            revisions[target]! += 1
        }
    }

    private mutating func advance(_ index: Int) {
        let window = windows[index]
        let rules = Array(window.set.keys)
        let isStart = window.state == "pending"
        let late = (now - window.due!) / 1_000
        var changed: [String: [Rule: Value]] = [:]
        var isLeft = false
        for target in window.targets {
            var gate = gates[target]!
            let isExpected = rules.allSatisfy { window.expects(gate[$0], of: $0, on: target) }
            if isStart {
                if !isExpected {
                    windows[index].state = "failed"
                    return
                }
                for (rule, value) in window.set { gate[rule] = value }
            } else if window.restores {
                var before = window.before[target]!
                if let until = before[.killSwitch]?.until, until <= now { before[.killSwitch] = nil }
                for rule in rules where gate[rule] != before[rule] {
                    if gate[rule] == window.expected[target]![rule] { gate[rule] = before[rule] } else { isLeft = true }
                }
            } else {
                for (rule, value) in window.set where value != nil && gate[rule] != nil {
                    if gate[rule] == window.expected[target]![rule] { gate[rule] = nil } else { isLeft = true }
                }
            }
            changed[target] = gate
        }
        if isStart, let end = window.end, end <= now {
            windows[index].state = "missed"
            return
        }
        // Late enough that a kill switch would have lifted itself before it started.
        if isStart,
            changed.contains(where: { target, gate in
                gate[.killSwitch] != gates[target]![.killSwitch] && gate[.killSwitch]?.until.map { $0 <= now } ?? false
            })
        {
            windows[index].state = "failed"
            return
        }
        var isPutOff = false
        if late > 600 {
            let altered = changed.filter { $0.value != gates[$0.key]! }
            let rest = altered.filter { !shuts(gates[$0.key]!, $0.value) }
            isPutOff = rest.count < altered.count
            if isPutOff, isStart || rest.isEmpty {
                windows[index].state = "missed"
                return
            }
            changed = rest
        }
        if isStart {
            windows[index].started = now
            for target in window.targets { windows[index].before[target] = gates[target]!.filter { rules.contains($0.key) } }
        } else if !isPutOff {
            withdraw(window)
        }
        if changed.contains(where: { $0.value != gates[$0.key]! }) {
            requests.append("window-\(window.id)-\(isStart ? "start" : "end")")
            if isStart { windows[index].startStep = requests.count }
        }
        apply(changed, except: window.id)
        if !isStart, !isPutOff { settle(window) }
        for target in window.targets { windows[index].expected[target] = gates[target]!.filter { rules.contains($0.key) } }
        windows[index].state = isPutOff ? "missed" : isStart && window.end != nil ? "running" : isLeft ? "failed" : "done"
    }

    /// What a window that ends had put is nothing to go back to any more for those that started while it ran: what is there without it is.
    private mutating func withdraw(_ ended: Window) {
        for index in windows.indices where windows[index].state == "running" && windows[index].id != ended.id {
            // Whatever the clock said meanwhile.
            if let step = windows[index].startStep, let first = ended.startStep {
                guard step > first else { continue }
            } else {
                guard windows[index].started! >= ended.started! else { continue }
            }
            for target in ended.targets where windows[index].targets.contains(target) {
                for (rule, put) in ended.set where windows[index].set.keys.contains(rule) && (ended.restores || put != nil) {
                    guard windows[index].before[target]![rule] == put else { continue }
                    windows[index].before[target]![rule] = ended.restores ? ended.before[target]![rule] : nil
                }
            }
        }
    }

    /// Those that wait for what a window had put wait for what is there without it, if that is there already.
    private mutating func settle(_ ended: Window) {
        for index in windows.indices where windows[index].state == "pending" {
            for target in ended.targets where windows[index].targets.contains(target) {
                for (rule, put) in ended.set where windows[index].set.keys.contains(rule) && (ended.restores || put != nil) {
                    let left = ended.restores ? ended.before[target]![rule] : nil
                    guard windows[index].expected[target]![rule] == put, gates[target]![rule] == left else { continue }
                    windows[index].expected[target]![rule] = left
                }
            }
        }
    }

    private func shuts(_ before: [Rule: Value], _ after: [Rule: Value]) -> Bool {
        if let kill = after[.killSwitch] {
            guard let old = before[.killSwitch] else { return true }
            if let end = old.until, kill.until.map({ $0 > end }) ?? true { return true }
        }
        // Whom a kill switch kept out, an alert keeps out no more.
        return after[.alert]?.blocks == true && before[.alert]?.blocks != true && before[.killSwitch] == nil
    }

    var summary: [String] {
        ["shop/android", "shop/ios"].map {
            "\($0) \(gates[$0]![.killSwitch]?.json ?? "-") \(gates[$0]![.alert]?.json ?? "-") \(revisions[$0]!)"
        }
            + windows.map { "\($0.id) \($0.state)" }
    }
}
