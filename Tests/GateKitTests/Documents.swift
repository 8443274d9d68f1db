import Foundation
import GateKit
import Synchronization

/// Documents and phones that the tests share.
enum Documents {
    static let nativeURL = URL(string: "https://gate.test/feeds/shop/ios/gate.json")!

    static func native(
        _ gate: String,
        sequence: Int = 10,
        app: String = "shop",
        platform: String = "ios",
        issuedAt: String = "2026-03-20T09:00:00.000Z"
    )
        -> String
    {
        #"{"schema":"gatehouse/v1","app":"\#(app)","platform":"\#(platform)","sequence":\#(sequence),"revision":3,"issuedAt":"\#(issuedAt)","gate":{\#(gate)},"storeURL":"https://store.test/app"}"#
    }

    static let kill = #""killSwitch":{"message":{"default":"Closed","de":"Zu"},"retryInterval":30}"#
    static let force = #""forceUpdate":{"message":"Force"}"#
    static let required = #""requiredUpdate":{"minimumVersion":"4.2","message":"Required"}"#
    static let optional = #""optionalUpdate":{"optionalVersion":"4.3","message":"Optional"}"#
    static let alert = #""alert":{"message":"Told","blocking":false}"#
    static let block = #""alert":{"message":"Stop","blocking":true}"#

    static func read(_ text: String, platform: String? = nil, numbersAsFlags: Bool = false) throws -> GateDocument {
        try GateDocument(Data(text.utf8), options: .init(platform: platform, numbersAsFlags: numbersAsFlags))
    }

    /// A phone at 4.0 that reads English.
    static let phone = GatePhone(version: "4.0", build: "40", osVersion: "17.2", languages: ["en"])

    static let now = Date(timeIntervalSince1970: 1_774_000_000)
}

extension GateDocument {
    /// What a phone of this version faces now.
    func decide(_ version: String?, build: String? = nil, seen: GateSeen = GateSeen(), _ options: DecisionOptions = DecisionOptions())
        -> GateDecision
    {
        decision(for: GatePhone(version: version, build: build, osVersion: "17.2"), seen: seen, at: Documents.now, options: options)
    }
}

/// A monitor with everything around it in the test's hand.
struct Bench {
    let clock = StepClock()
    let transport: ScriptedTransport
    let memory: any GateMemory
    let monitor: GateMonitor

    /// - Parameter chance: the numbers that chance says, one after the other; the last one again and again.
    init(
        _ body: String = Documents.native(""),
        memory: any GateMemory = InMemoryGateMemory(),
        phone: GatePhone = Documents.phone,
        feed: URL = Documents.nativeURL,
        chance: [Double] = [0.5],
        _ change: (inout GateConfiguration) -> Void = { _ in }
    ) {
        var configuration = GateConfiguration(feed: feed)
        change(&configuration)
        self.memory = memory
        transport = ScriptedTransport(body)
        let left = Mutex(chance)
        monitor = GateMonitor(
            configuration,
            phone: phone,
            memory: memory,
            transport: transport,
            clock: clock,
            random: { left.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } }
        )
    }

    /// The app started anew on the same phone, where chance says something else.
    func restarted() -> Bench { Bench(memory: memory, chance: [0.25]) { $0 = monitor.configuration } }
}

/// Gathers a monitor's events in words.
actor Recorder {
    private(set) var words: [String] = []
    private var waiting: [(String, Int, CheckedContinuation<Void, Never>)] = []
    private var task: Task<Void, Never>?

    func follow(_ monitor: GateMonitor) async {
        let events = await monitor.events()
        task = Task { [weak self] in
            for await event in events { await self?.add(Self.word(event)) }
        }
    }

    private func add(_ word: String) {
        words.append(word)
        let ready = waiting.filter { wanted in words.filter { $0 == wanted.0 }.count >= wanted.1 }
        waiting.removeAll { wanted in words.filter { $0 == wanted.0 }.count >= wanted.1 }
        for one in ready { one.2.resume() }
    }

    /// Waits until the word was said for the n-th time.
    func wait(for word: String, count: Int = 1) async {
        guard words.filter({ $0 == word }).count < count else { return }
        // At the test's time limit nobody waits any longer.
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiting.append((word, count, $0)) }
        } onCancel: {
            Task { await giveUp() }
        }
    }

    private func giveUp() {
        for one in waiting { one.2.resume() }
        waiting = []
    }

    /// The words, without those of states and errors.
    var transitions: [String] { words.filter { !$0.hasPrefix("state") && !$0.hasPrefix("error") } }

    static func word(_ event: GateEvent) -> String {
        func name(_ decision: GateDecision) -> String { decision.rule?.rawValue ?? "none" }
        return switch event {
        case .willEngage(let decision): "willEngage \(name(decision))"
        case .didEngage(let decision): "didEngage \(name(decision))"
        case .messageChanged(let decision): "message \(decision.message ?? "-")"
        case .willDisengage(let decision): "willDisengage \(name(decision))"
        case .didDisengage(let decision): "didDisengage \(name(decision))"
        case .notice(let decision): "notice \(name(decision))"
        case .noticeWithdrawn(let decision): "withdrawn \(name(decision))"
        case .state(let state): "state \(state.decision.kind.rawValue)\(state.isStale ? " stale" : "")"
        case .error(let error, let state): "error \(error.code.rawValue) keeps \(state.decision.kind.rawValue)"
        }
    }
}
