import GateJSON
import GateModel
import Testing

@testable import gatectl

/// What an opening leaves on, in words.
struct StillShutTests {
    private static func line(_ gate: String, _ key: String = "shop/ios") throws -> [String] {
        let gate = try Gate(json: JSONReader.read(gate), settings: PlatformSettings(versionScheme: .dotted))
        return StillShut.lines([(try #require(TargetKey(key)), gate)])
    }

    private static let force = #""forceUpdate":{"message":"m"}"#
    private static let required = #""requiredUpdate":{"minimumVersion":"4.2.0","message":"m"}"#

    @Test(arguments: [
        (#"{\#(force)}"#, "is still blocked by forced update"),
        (#"{\#(required)}"#, "is still kept from older versions by minimum version 4.2.0"),
        (#"{"alert":{"message":"m","blocking":true}}"#, "is still blocked by blocking alert"),
        (#"{\#(force),\#(required)}"#, "is still blocked by forced update and minimum version 4.2.0"),
        // A kill switch that lets callers in gradually is not what is meant, and what can be dismissed keeps nobody out.
        (#"{"killSwitch":{"message":"m","retryInterval":30}}"#, nil), (#"{"alert":{"message":"m","blocking":false}}"#, nil), ("{}", nil),
        (#"{"optionalUpdate":{"optionalVersion":"4.2.0","message":"m"}}"#, nil),
    ])
    func everyRuleThatKeepsPeopleOutIsNamed(gate: String, said: String?) throws {
        #expect(try Self.line(gate) == (said.map { ["shop/ios \($0): gatectl open shop ios --all-gates"] } ?? []))
    }

    @Test func ofManyTargetsAFewAreNamed() throws {
        let gate = try Gate(json: JSONReader.read("{\(Self.force)}"), settings: PlatformSettings(versionScheme: .dotted))
        let gates = try (1...8).map { (target: try #require(TargetKey("app\($0)/ios")), gate: gate) }
        let lines = StillShut.lines(gates)
        #expect(lines.count == 6 && lines.last == "… and 3 more alike", "\(lines)")
    }
}
