import Foundation
import GateTesting
import Testing

@testable import GateKit

/// The old libraries' names, and what stands on the screen.
@MainActor @Suite(.timeLimit(.minutes(1))) struct FacadeTests {
    @MainActor private final class Manager: BellerophonManagerDelegate {
        var said: [String] = []
        func say(_ word: String) { said.append(word) }
        func wait(for word: String) async throws {
            try await waitUntil("the delegate is told \(word)", limit: .seconds(30)) { said.contains(word) }
        }
        func shouldKillSwitch() { say("shouldKillSwitch") }
        func shouldForceUpdate() { say("shouldForceUpdate") }
        func bellerophonWillEngage(_ manager: BellerophonManager, event: BellerophonEvent) { say("willEngage \(event)") }
        func bellerophonWillDisengage(_ manager: BellerophonManager, event: BellerophonEvent) { say("willDisengage \(event)") }
        func receivedError(error: any Error) { say("error") }
        func bellerophonMessage(_ manager: BellerophonManager, message: String?) { say("message \(message ?? "-")") }
    }

    private static func status(_ inactive: Bool, _ forced: Bool, _ text: String) -> String {
        #"{"apiInactive":\#(inactive),"forceUpdate":\#(forced),"retryInterval":15,"userMessage":"\#(text)"}"#
    }

    @Test func bellerophonsDelegateIsToldOnceATransition() async throws {
        let bench = Bench(Self.status(true, false, "Zu"), feed: try #require(URL(string: "https://gate.test/status.json")))
        let manager = BellerophonManager(monitor: bench.monitor)
        let delegate = Manager()
        manager.delegate = delegate
        manager.checkAppStatus()
        try await delegate.wait(for: "shouldKillSwitch")
        #expect(manager.isDisplaying)
        await bench.monitor.check(forced: true)
        bench.transport.fail()
        await bench.monitor.check(forced: true)
        try await delegate.wait(for: "error")
        manager.updateDisplay(Data(Self.status(false, true, "Neu").utf8))
        try await delegate.wait(for: "shouldForceUpdate")
        bench.transport.answer(Self.status(false, false, ""))
        manager.applicationWillEnterForeground()
        try await delegate.wait(for: "willDisengage forceUpdate")
        #expect(
            delegate.said == [
                "willEngage killSwitch", "message Zu", "shouldKillSwitch", "error", "willDisengage killSwitch", "willEngage forceUpdate",
                "message Neu", "shouldForceUpdate", "willDisengage forceUpdate",
            ]
        )
        #expect(!manager.isDisplaying)
        let result = await withCheckedContinuation { continuation in manager.fetchAppStatus { continuation.resume(returning: $0) } }
        #expect(result == .newData)
    }

    @Test("6.2.20 a manager that is made when the block is up already tells of it") func bellerophonLate() async throws {
        let bench = Bench(Self.status(true, false, "Zu"), feed: try #require(URL(string: "https://gate.test/status.json")))
        await bench.monitor.start()
        let manager = BellerophonManager(monitor: bench.monitor)
        let delegate = Manager()
        manager.delegate = delegate
        await manager.listen()
        #expect(manager.isDisplaying)
        bench.transport.answer(Self.status(false, false, ""))
        manager.checkAppStatus()
        try await delegate.wait(for: "willDisengage killSwitch")
        #expect(delegate.said == ["willEngage killSwitch", "message Zu", "shouldKillSwitch", "willDisengage killSwitch"])
    }

    @MainActor private final class Screen: GatePresenter {
        var shown: [GatePresentation?] = []
        var press: (@MainActor (GatePresentation.Action) -> Void)?
        func present(_ presentation: GatePresentation, press: @escaping @MainActor (GatePresentation.Action) -> Void) {
            self.press = press
            shown.append(presentation)
        }
        func dismiss() { shown.append(nil) }
        func wait(for count: Int) async throws {
            try await waitUntil("the screen has changed \(count) times", limit: .seconds(30)) { shown.count >= count }
        }
    }

    @Test("6.2.37 a store that cannot be opened ends no block; LaunchGate shows one dialog at a time") func launchGate() async throws {
        let bench = Bench(Documents.native(Documents.required))
        let screen = Screen()
        var opened: [URL] = []
        let recorder = Recorder()
        await recorder.follow(bench.monitor)
        let gate = LaunchGate(monitor: bench.monitor, presenter: screen, texts: .of(["de-AT"])) { opened.append($0) }
        await gate.checkNow()
        try await screen.wait(for: 1)
        #expect(screen.shown.last??.message == "Required")
        #expect(screen.shown.last??.buttons.map(\.title) == ["Aktualisieren", "Erneut versuchen"])
        screen.press?(.update)
        #expect(opened.map(\.absoluteString) == ["https://store.test/app"])
        // Checked again with each activation: no second dialog over the first.
        await gate.checkNow()
        await gate.checkNow()
        #expect(screen.shown.count == 1)
        bench.transport.answer(Documents.native([Documents.optional, Documents.alert].joined(separator: ","), sequence: 11))
        screen.press?(.tryAgain)
        try await screen.wait(for: 3)
        #expect(screen.shown.map { $0?.decision.rule } == [.requiredUpdate, nil, .optionalUpdate])
        screen.press?(.putAway)
        try await screen.wait(for: 5)
        #expect(screen.shown.last??.decision.rule == .alert)
        screen.press?(.putAway)
        try await screen.wait(for: 6)
        await recorder.wait(for: "state open")
    }

    @Test("6.2.14 a notice that is closed in one window, or by the app, is closed in every window", arguments: [true, false])
    func closedElsewhere(inWindow: Bool) async throws {
        let bench = Bench(Documents.native(Documents.alert))
        let views = [Screen(), Screen()]
        let screens = views.map { GateScreen(monitor: bench.monitor, presenter: $0, texts: .english) { _ in } }
        for screen in screens { await screen.listen() }
        await bench.monitor.start()
        for view in views { try await view.wait(for: 1) }
        if inWindow { views[0].press?(.putAway) } else { await bench.monitor.postpone(bench.monitor.decision) }
        for view in views { try await view.wait(for: 2) }
        #expect(views.map(\.shown.count) == [2, 2])
        #expect(screens.allSatisfy { $0.shown == nil })
    }

    @Test func anAlertThatBeginsToBlockStaysOnTheScreenAndOneThatBlocksNoMoreIsANotice() async throws {
        let bench = Bench(Documents.native(Documents.alert))
        let screen = Screen()
        let gate = GateScreen(monitor: bench.monitor, presenter: screen, texts: .english) { _ in }
        await gate.listen()
        await bench.monitor.start()
        try await screen.wait(for: 1)
        bench.transport.answer(Documents.native(Documents.block, sequence: 11))
        await bench.monitor.check(forced: true)
        try await screen.wait(for: 3)
        #expect(screen.shown.map { $0?.isBlocking } == [false, nil, true])
        #expect(gate.shown?.message == "Stop")
        bench.transport.answer(Documents.native(Documents.alert, sequence: 12))
        await bench.monitor.check(forced: true)
        try await screen.wait(for: 5)
        #expect(screen.shown.map { $0?.isBlocking } == [false, nil, true, nil, false])
        #expect(gate.shown?.message == "Told")
    }

    @Test func theStoreThatIsToldLaterReachesTheBlockThatIsUp() async throws {
        let store = #","storeURL":"https://store.test/app""#
        let text = Documents.native(Documents.required)
        let bench = Bench(text.replacingOccurrences(of: store, with: ""))
        let screen = Screen()
        var opened: [String] = []
        let gate = GateScreen(monitor: bench.monitor, presenter: screen, texts: .english) { opened.append($0.absoluteString) }
        await gate.listen()
        await bench.monitor.start()
        try await screen.wait(for: 1)
        // Another place in history, and nothing that anybody could see: this alone presents nothing.
        bench.transport.answer(Documents.native(Documents.required, sequence: 11).replacingOccurrences(of: store, with: ""))
        await bench.monitor.check(forced: true)
        bench.transport.answer(Documents.native(Documents.required, sequence: 12))
        await bench.monitor.check(forced: true)
        try await screen.wait(for: 2)
        screen.press?(.update)
        bench.transport.answer(Documents.native(Documents.required, sequence: 13).replacingOccurrences(of: "store.test", with: "new.test"))
        await bench.monitor.check(forced: true)
        try await screen.wait(for: 3)
        screen.press?(.update)
        #expect(screen.shown.map { $0?.buttons.map(\.title) } == [["Try again"], ["Update", "Try again"], ["Update", "Try again"]])
        #expect(opened == ["https://store.test/app", "https://new.test/app"])
        #expect(gate.shown?.isBlocking == true)
    }

    @Test func bellerophonsManagerTakesNumbersForFlagsAsBellerophonDid() async throws {
        let url = try #require(URL(string: "https://gate.test/status.json"))
        let configuration = BellerophonManager(status: url).monitor.configuration
        let bench = Bench(#"{"apiInactive":1,"forceUpdate":0,"retryInterval":15,"userMessage":"Zu"}"#) { $0 = configuration }
        #expect(await bench.monitor.start().decision.kind == .blocked)
    }

    @Test func addressesThatAreNoneMakeNoLaunchGate() {
        #expect(LaunchGate(configURI: "not an address", appStoreURI: "https://store.test", presenter: Screen()) { _ in } == nil)
        #expect(LaunchGate(configURI: "https://gate.test/x.json", appStoreURI: "", presenter: Screen()) { _ in } == nil)
    }

    @Test(arguments: [
        ("/feeds/shop/launchgate.json", "ios"), ("/feeds/shop/own/status.json", "ios"), ("/feeds/mobile/prod/config.json", "ios"),
        ("/feeds/shop/macos/combined.json", "macos"),
    ]) func aLaunchGateIsOnAnIPhoneUnlessItsAddressSaysOtherwise(path: String, platform: String) throws {
        let gate = LaunchGate(configURI: "https://gate.test" + path, appStoreURI: "https://store.test", presenter: Screen()) { _ in }
        #expect(try #require(gate).monitor.configuration.platform == platform)
    }

    @Test(
        arguments: [
            (Documents.kill, "Not available", "Closed", ["Try again"]),
            (#""killSwitch":{}"#, "Not available", GateTexts.english.blockedMessage, ["Try again"]),
            (Documents.force, "Update required", "Force", ["Update", "Try again"]),
            (Documents.required, "Update required", "Required", ["Update", "Try again"]),
            (Documents.optional, "Update available", "Optional", ["Update", "Not now"]), (Documents.alert, nil, "Told", ["OK"]),
            (Documents.block, "Not available", "Stop", ["Try again"]),
        ] as [(String, String?, String, [String])]
    )
    func whatStandsOnTheScreen(rule: String, title: String?, message: String, buttons: [String]) throws {
        let decision = try Documents.read(Documents.native(rule)).decide("4.0")
        let shown = try #require(GatePresentation(decision, texts: .english))
        #expect(shown.title == title)
        #expect(shown.message == message)
        #expect(shown.buttons.map(\.title) == buttons)
        #expect(shown.isBlocking == decision.kind.shutsOut)
        #expect(GatePresentation(.open, texts: .english) == nil)
    }

    @Test func everyLanguageHasEveryWordOfItsOwn() {
        for language in GateTexts.languages {
            let texts = GateTexts.of([language + "-XX"])
            let words = Mirror(reflecting: texts).children.compactMap { $0.value as? String }
            #expect(words.count == 10)
            #expect(words.allSatisfy { !$0.isEmpty })
            if language != "en" { #expect(texts != .english) }
        }
        #expect(GateTexts.of(["it"]) == .english)
        #expect(GateTexts.of(["it", "fr-CA"]).update == "Mettre à jour")
        var own = GateTexts.of(["ja"])
        own.update = "更新"
        #expect(own.update == "更新")
    }

    @Test func anInstallationKeepsItsName() {
        let memory = InMemoryGateMemory()
        let first = GatePhone.current(memory: memory).installID
        #expect(first != nil)
        #expect(GatePhone.current(memory: memory).installID == first)
        #expect(GatePhone.current(memory: InMemoryGateMemory()).installID != first)
        #expect(GatePhone.current(memory: nil).installID == nil)
    }
}
