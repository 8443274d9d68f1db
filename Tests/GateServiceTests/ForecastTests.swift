import GateJSON
import GateModel
import GateTesting
import Testing

@testable import GateService

/// What is foretold is what comes, and costs no more than what it is about.
@Suite struct ForecastTests {
    private static let targets = ["shop/ios", "shop/android"]

    private func forecast(_ house: House, of app: String = "shop") -> Forecast {
        let snapshot = house.ledger.snapshot
        return Forecast(snapshot.catalog, snapshot.schedule, of: AppKey(app)!, environment: house.ledger.environment)
    }

    private func gate(_ house: House, _ target: String, in seconds: Int64) throws -> Gate? {
        let key = TargetKey(target)!
        var forecast = forecast(house, of: key.app.text)
        try forecast.advance(to: house.clock.now.advanced(bySeconds: seconds))
        return forecast.catalog.target(key)?.gate
    }

    /// Windows of whole minutes, so that many of them meet at one moment, among them some that find what a person left.
    @Test(arguments: 1...4) func whatIsForetoldComes(seed: UInt64) throws {
        let house = try House()
        try house.add("shop", "ios", "android")
        var random = SeededGenerator(seed: seed &* 104_729)
        for number in 1...14 {
            let draft = try draft(number, house, &random)
            let plan = try house.make(draft, WriteTerms(dryRun: true)).plan
            try house.make(draft, WriteTerms(confirm: plan?.confirm))
            guard number == 7 else { continue }
            let until = house.clock.now.advanced(bySeconds: 240)
            try house.set("shop/ios", to: #"{"killSwitch":{"message":"incident","until":"\#(until)"}}"#)
        }
        let minutes = Array(1...22 as ClosedRange<Int64>)
        let foretold = try minutes.map { minute in try Self.targets.map { try gate(house, $0, in: minute * 60) } }
        for minute in minutes {
            house.pass(60)
            #expect(try Self.targets.map { try house.target($0).gate } == foretold[Int(minute) - 1], "seed \(seed), minute \(minute)")
        }
    }

    private func draft(_ number: Int, _ house: House, _ random: inout SeededGenerator) throws -> WindowDraft {
        let start = Int64(1 + random.next(below: 10))
        let end = start + Int64(1 + random.next(below: 10))
        let until = house.clock.now.advanced(bySeconds: (start + Int64(1 + random.next(below: 6))) * 60)
        let set =
            switch random.next(below: 6) {
            case 0: #"{"alert":{"message":"a\#(number)","blocking":false}}"#
            case 1: #"{"killSwitch":{"message":"k\#(number)","until":"\#(until)"}}"#
            case 2: #"{"killSwitch":null}"#
            case 3: #"{"killSwitch":{"message":"k\#(number)"},"alert":{"message":"a\#(number)","blocking":false}}"#
            default: #"{"killSwitch":{"message":"k\#(number)"}}"#
            }
        let targets = random.next(below: 3) == 0 ? Self.targets : [Self.targets[random.next(below: 2)]]
        let then: Window.Ending = set == Rules.open || random.next(below: 2) == 0 ? .restore : .open
        return try house.draft(targets, set: set, in: start * 60, until: random.next(below: 5) == 0 ? nil : end * 60, then: then)
    }

    /// A window waits for all of its targets, and so for what lifts itself on one of another app.
    @Test func whatSharesAWindowIsPlayedToo() throws {
        let house = try House()
        try house.add("shop", "ios")
        try house.add("bank", "ios")
        let draft = try house.draft("shop/ios", "bank/ios", in: 100)
        try house.make(draft, WriteTerms(confirm: "kill 2 targets"))
        let until = house.clock.now.advanced(bySeconds: 50)
        try house.set("bank/ios", to: #"{"killSwitch":{"message":"incident","until":"\#(until)"}}"#)
        #expect(try gate(house, "shop/ios", in: 99) == .open)
        #expect(try gate(house, "shop/ios", in: 100)?.state == .blocked)
    }

    /// Each target counts once for each step of it until then; what the app has nothing to do with does not count.
    @Test func thereIsAnEndToWhatIsPlayed() throws {
        let house = try House()
        for app in ["shop", "bank", "pay"] { try house.add(app, "ios") }
        try house.make(house.draft("shop/ios", in: 60, until: 120))
        try house.make(house.draft("bank/ios", "pay/ios", in: 60, until: 120), WriteTerms(confirm: "kill 2 targets"))
        try house.make(house.draft("bank/ios", in: 200))
        func refused(_ app: String, in seconds: Int64, room: Int) -> ServiceError? {
            var forecast = forecast(house, of: app)
            forecast.room = room
            return refusal { try forecast.advance(to: house.clock.now.advanced(bySeconds: seconds)) }
        }
        #expect(refused("shop", in: 1_000, room: 2) == nil)
        #expect(refused("pay", in: 119, room: 2) == nil)
        #expect(refused("pay", in: 120, room: 4) == nil)
        #expect(refused("pay", in: 200, room: 5) == nil)
        let error = refused("pay", in: 200, room: 4)
        #expect((error?.word, error?.field) == ("too_many_windows", "/at"))
    }
}
