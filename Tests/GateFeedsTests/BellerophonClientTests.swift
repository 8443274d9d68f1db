import Testing

@testable import GateFeeds

@Suite struct BellerophonClientTests {
    private func read(_ json: String) -> BellerophonClient.Reading { BellerophonClient.read(Array(json.utf8)) }

    /// Wire formats table 3.1.
    @Test func documentThatIsNoStatusIsTakenForSomethingElse() {
        for json in ["", "<html>", "Not found", "{\"apiInactive\":true"] { #expect(read(json) == .failed) }
        for json in ["[]", "null", "1", "\"x\"", "true"] { #expect(read(json) == .stuck) }
        for json in [
            "{}", #"{"error":"not found"}"#, #"{"apiInactive":true,"forceUpdate":false,"retryInterval":15,"userMessage":null}"#,
            #"{"apiInactive":true,"forceUpdate":false,"retryInterval":15}"#, #"{"apiInactive":true,"forceUpdate":false,"userMessage":"m"}"#,
            #"{"apiInactive":true,"forceUpdate":false,"retryInterval":null,"userMessage":"m"}"#,
            #"{"apiInactive":true,"forceUpdate":false,"retryInterval":"15","userMessage":"m"}"#,
            #"{"apiInactive":true,"forceUpdate":false,"retryInterval":[],"userMessage":"m"}"#,
            #"{"apiInactive":true,"forceUpdate":false,"retryInterval":15,"userMessage":5}"#,
        ] {
            #expect(read(json) == .rejected, "\(json)")
            #expect(BellerophonClient.decide(Array(json.utf8)) == .proceed, "a rejected status lifts the kill switch")
        }
    }

    static let flags: [(json: String, value: Bool)] = [
        ("true", true), ("false", false), ("1", true), ("0", false), ("2", false), (#""true""#, false), ("null", false), ("[]", false),
    ]

    @Test(arguments: flags)
    func flagOfAnotherTypeIsSilentlyFalse(json: String, value: Bool) throws {
        let reading = read(#"{"apiInactive":\#(json),"forceUpdate":\#(json),"retryInterval":15,"userMessage":"m","x":1}"#)
        #expect(reading == .accepted(.init(apiInactive: value, forceUpdate: value, retryInterval: 15, userMessage: "m")))
    }

    @Test func missingFlagsAreFalse() {
        #expect(
            read(#"{"retryInterval":15,"userMessage":""}"#)
                == .accepted(.init(apiInactive: false, forceUpdate: false, retryInterval: 15, userMessage: ""))
        )
    }

    @Test func forcedUpdateGoesBeforeTheKillSwitch() {
        func decide(_ inactive: Bool, _ force: Bool) -> ClientDecision {
            BellerophonClient.decide(
                Array(#"{"apiInactive":\#(inactive),"forceUpdate":\#(force),"retryInterval":30,"userMessage":"m"}"#.utf8)
            )
        }
        #expect(decide(true, true) == .forced(text: "m", retryInterval: 30))
        #expect(decide(false, true) == .forced(text: "m", retryInterval: 30))
        #expect(decide(true, false) == .killed(text: "m", retryInterval: 30))
        #expect(decide(false, false) == .proceed)
    }
}
