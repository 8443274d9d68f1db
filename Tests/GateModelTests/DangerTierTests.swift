import GateJSON
import GateModel
import Testing

@Suite struct DangerTierTests {
    private static let kill = #""killSwitch":{"message":"a","retryInterval":30}"#

    private static let killUntil10 = #""killSwitch":{"message":"a","retryInterval":30,"until":"2026-04-02T10:00:00Z"}"#
    private static let killUntil11 = #""killSwitch":{"message":"a","retryInterval":30,"until":"2026-04-02T11:00:00Z"}"#

    private static let opening =
        #""killSwitch":{"message":"a","retryInterval":30,"until":"2026-04-02T10:00:00Z","opening":"2026-04-02T09:50:00Z"}"#
    private static let openingLater =
        #""killSwitch":{"message":"a","retryInterval":30,"until":"2026-04-02T10:00:00Z","opening":"2026-04-02T09:55:00Z"}"#

    static let table: [(before: String, after: String, tier: DangerTier)] = [
        ("{}", "{}", .none),
        ("{}", "{\(kill)}", .block),
        ("{\(kill)}", "{}", .notice),
        ("{\(kill)}", #"{"killSwitch":{"message":"b","retryInterval":60}}"#, .notice),
        ("{\(kill)}", "{\(killUntil10)}", .notice),
        ("{\(killUntil10)}", "{\(kill)}", .block),
        ("{\(killUntil10)}", "{\(killUntil11)}", .block),
        ("{\(killUntil11)}", "{\(killUntil10)}", .notice),
        ("{\(kill)}", "{\(opening)}", .notice),
        ("{\(killUntil10)}", "{\(opening)}", .notice),
        ("{\(opening)}", "{}", .notice),
        ("{\(opening)}", "{\(kill)}", .block),
        ("{\(opening)}", "{\(killUntil10)}", .block),
        ("{\(opening)}", "{\(openingLater)}", .block),
        ("{\(openingLater)}", "{\(opening)}", .notice),
        ("{}", "{\(opening)}", .block),
        ("{}", #"{"forceUpdate":{"message":"a"}}"#, .block),
        (#"{"forceUpdate":{"message":"a"}}"#, "{}", .notice),
        ("{}", #"{"requiredUpdate":{"minimumVersion":"4.2.0","message":"a"}}"#, .block),
        (
            #"{"requiredUpdate":{"minimumVersion":"4.9.0","message":"a"}}"#,
            #"{"requiredUpdate":{"minimumVersion":"4.10.0","message":"a"}}"#, .block
        ),
        (
            #"{"requiredUpdate":{"minimumVersion":"4.10.0","message":"a"}}"#,
            #"{"requiredUpdate":{"minimumVersion":"4.9.0","message":"a"}}"#, .notice
        ),
        (
            #"{"requiredUpdate":{"minimumVersion":"4.2.0","message":"a"}}"#,
            #"{"requiredUpdate":{"minimumVersion":"4.2.0","message":"b"}}"#, .notice
        ),
        (
            #"{"requiredUpdate":{"minimumVersion":"4.2.0","message":"a"}}"#,
            #"{"requiredUpdate":{"minimumVersion":"4.2.0","blockedVersions":["4.3.1"],"message":"a"}}"#, .block
        ),
        (
            #"{"requiredUpdate":{"minimumVersion":"4.2.0","blockedVersions":["4.3.1"],"message":"a"}}"#,
            #"{"requiredUpdate":{"minimumVersion":"4.2.0","message":"a"}}"#, .notice
        ),
        ("{}", #"{"optionalUpdate":{"optionalVersion":"4.3.0","message":"a"}}"#, .notice),
        ("{}", #"{"alert":{"message":"a","blocking":false}}"#, .notice),
        ("{}", #"{"alert":{"message":"a","blocking":true}}"#, .block),
        (#"{"alert":{"message":"a","blocking":false}}"#, #"{"alert":{"message":"a","blocking":true}}"#, .block),
        (#"{"alert":{"message":"a","blocking":true}}"#, #"{"alert":{"message":"b","blocking":true}}"#, .notice),
        ("{\(kill)}", #"{"alert":{"message":"a","blocking":true}}"#, .block),
    ]

    @Test(arguments: table)
    func tierIsTheWorstEffectOnPeople(before: String, after: String, tier: DangerTier) throws {
        let settings = PlatformSettings(versionScheme: .dotted)
        let (one, two) = (
            try Gate(json: JSONReader.read(before), settings: settings), try Gate(json: JSONReader.read(after), settings: settings)
        )
        #expect(DangerTier(from: one, to: two, scheme: .dotted) == tier)
    }

    @Test func worstRuleThatShutsOutIsNamed() throws {
        let settings = PlatformSettings(versionScheme: .dotted)
        let all =
            #"{"killSwitch":{"message":"a"},"forceUpdate":{"message":"a"},"requiredUpdate":{"minimumVersion":"1","message":"a"},"alert":{"message":"a","blocking":true}}"#
        var gate = try Gate(json: JSONReader.read(all), settings: settings)
        for rule in [Rule.killSwitch, .forceUpdate, .requiredUpdate, .alert] {
            #expect(DangerTier.rule(shuttingOut: .open, gate, scheme: .dotted) == rule)
            #expect(DangerTier.rule(shuttingOut: gate, gate, scheme: .dotted) == nil)
            gate.clear(rule)
        }
        #expect(DangerTier.rule(shuttingOut: .open, gate, scheme: .dotted) == nil)
    }

    @Test func tiersAreOrdered() {
        #expect(DangerTier.allCases.sorted() == [.none, .notice, .block, .many])
        #expect(DangerTier.allCases.map(\.rawValue) == [0, 1, 2, 3])
    }
}
