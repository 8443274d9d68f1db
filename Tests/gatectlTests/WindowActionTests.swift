import GateAPI
import GateJSON
import GateModel
import Testing

@testable import gatectl

/// What stands after `--` in `schedule add`.
struct WindowActionTests {
    private func target(_ key: String, _ gate: String) throws -> TargetBody {
        let settings = PlatformSettings(versionScheme: .dotted)
        let now = Timestamp(milliseconds: 0)
        return TargetBody(
            Target(
                key: try #require(TargetKey(key)),
                settings: settings,
                gate: try Gate(json: JSONReader.read(gate), settings: settings),
                revision: 3,
                sequence: 7,
                since: now,
                changedAt: now
            ),
            lastChange: nil
        )
    }

    private func edit(_ words: [String], _ gates: String...) async throws -> String {
        let keys = ["shop/ios", "shop/android"]
        let targets = try zip(keys, gates).map { try target($0, $1) }
        return try await WindowAction.edit(words, app: "shop", platform: "all", targets: targets).json.text
    }

    /// Nothing that was typed is dropped.
    @Test(arguments: [
        (["open", "--over", "10m"], "a window lets everybody in at once"),
        (["kill", "-m", "x", "--wait", "95%"], "leave --wait after -- out"), (["open", "--wait", "95%"], "leave --wait after -- out"),
        (["kill", "-m", "x", "--context", "development"], "put them before --"),
        (["kill", "-m", "x", "--timeout", "3s"], "put them before"),
        (["open", "--json"], "put them before --"), (["open", "-o", "plain"], "put them before --"),
        (["open", "-q"], "put them before --"),
        (["open", "-v"], "put them before --"), (["open", "--no-color"], "put them before --"), (["open", "--utc"], "put them before --"),
        (["open", "--no-input"], "put them before --"), (["open", "--if-revision", "3"], "put it before --"),
        (["open", "-y"], "put them before --"), (["kill", "-m", "x", "--for", "30m"], "the window's own --until"),
        (["kil", "-m", "x"], "Did you mean kill?"), ([], "say after -- what is to happen"),
    ])
    func whatAWindowDoesNotDoIsRefused(words: [String], said: String) async throws {
        let failure = await #expect(throws: Failure.self) { try await edit(words, "{}") }
        #expect(failure?.exit == .usage)
        #expect(failure?.message.contains(said) == true, "\(String(describing: failure))")
    }

    private static let required =
        #"{"requiredUpdate":{"minimumVersion":"4.1.0","blockedVersions":["4.1.1"],"message":{"de":"Bitte.","default":"Update."}}}"#
    private static let forced = #"{"forceUpdate":{"message":{"de":"Bitte.","default":"Update."}}}"#

    private static let shut = #"{"alert":{"message":"Shut.","blocking":true}}"#

    /// As the same command keeps it without a window.
    @Test(arguments: [
        (
            ["require", "4.2.0", "-m", "New."], required,
            #"{"requiredUpdate":{"minimumVersion":"4.2.0","blockedVersions":["4.1.1"],"message":"New."}}"#
        ),
        (
            ["require", "4.2.0"], required,
            #"{"requiredUpdate":{"minimumVersion":"4.2.0","blockedVersions":["4.1.1"],"message":{"de":"Bitte.","default":"Update."}}}"#
        ),
        (["require", "--clear"], required, #"{"requiredUpdate":null}"#), (["force", "--on", "--store-checked"], forced, forced),
        (["force", "--on", "--store-checked", "-m", "New."], forced, #"{"forceUpdate":{"message":"New."}}"#),
        (["force", "--on", "--store-checked"], "{}", #"{"forceUpdate":{"message":"Please update to the newest version."}}"#),
        (["alert", "-m", "New."], shut, #"{"alert":{"message":"New.","blocking":true}}"#),
        (["alert", "-m", "New.", "--dismissible"], shut, #"{"alert":{"message":"New.","blocking":false}}"#),
        (["alert", "-m", "New."], #"{"alert":{"message":"Slow.","blocking":false}}"#, #"{"alert":{"message":"New.","blocking":false}}"#),
        (["alert", "-m", "New.", "--blocking"], "{}", #"{"alert":{"message":"New.","blocking":true}}"#),
        (["alert", "--clear"], shut, #"{"alert":null}"#),
        (["kill", "-m", "x", "--retry", "30s"], "{}", #"{"killSwitch":{"message":"x","retryInterval":30}}"#),
    ])
    func whatARuleKeepsItKeepsInAWindow(words: [String], gate: String, set: String) async throws {
        #expect(try await edit(words, gate, gate) == set)
    }

    /// An alert that keeps nobody out must not keep a window from opening; one that blocks later is then left, which is said.
    @Test(arguments: [
        (["open", "--all-gates"], "{}", false, true),
        (["open", "--all-gates"], #"{"alert":{"message":"Slow.","blocking":false}}"#, false, true),
        (["open", "--all-gates"], shut, true, false), (["open"], shut, false, false), (["alert", "--clear"], shut, true, false),
    ])
    func anOpeningOfAllGatesClearsAnAlertThatBlocksNow(words: [String], gate: String, clears: Bool, isSaid: Bool) async throws {
        let targets = [try target("shop/ios", gate)]
        let edit = try await WindowAction.edit(words, app: "shop", platform: "ios", targets: targets)
        #expect(edit.rules.contains { $0.rule == .alert } == clears)
        #expect((WindowAction.caution(edit) != nil) == isSaid)
    }

    @Test(arguments: [
        (["require", "4.2.0", "-m", "New."], required, "the targets block different versions one by one now"),
        (["require", "4.2.0"], #"{"requiredUpdate":{"minimumVersion":"4.1.0","message":"Other."}}"#, "say -m TEXT after --"),
        (["force", "--on", "--store-checked"], forced, "say -m TEXT after --"),
        (["alert", "-m", "New."], shut, "say --blocking or --dismissible after --"),
    ])
    func whatDiffersBetweenTargetsIsRefused(words: [String], gate: String, said: String) async throws {
        let other = words[0] == "require" && words.count == 2 ? Self.required : "{}"
        let failure = await #expect(throws: Failure.self) { try await edit(words, gate, other) }
        #expect(failure?.exit == .usage)
        #expect(failure?.message.contains(said) == true, "\(String(describing: failure))")
    }
}

/// A window's times in one line of a list.
struct WindowTimeTests {
    /// Half past two comes twice in the night in which clocks are put back, and a list of both must not show one time.
    @Test(arguments: [
        ("2037-10-25T00:30:00Z", "2037-10-25T02:30:00", "Europe/Berlin", "2037-10-25 02:30 Europe/Berlin (+02:00)"),
        ("2037-10-25T01:30:00Z", "2037-10-25T02:30:00", "Europe/Berlin", "2037-10-25 02:30 Europe/Berlin (+01:00)"),
        ("2037-10-25T02:30:00Z", "2037-10-25T03:30:00", "Europe/Berlin", "2037-10-25 03:30 Europe/Berlin"),
        ("2037-03-30T06:30:15Z", "2037-03-30T08:30:15", "Europe/Berlin", "2037-03-30 08:30:15 Europe/Berlin"),
        ("2037-10-25T01:30:00Z", "2037-10-25T01:30:00", "UTC", "2037-10-25 01:30 UTC"),
    ])
    func aTimeThatComesTwiceSaysWhichIsMeant(at: String, wall: String, zone: String, shown: String) throws {
        let time = try ZonedTime(json: ["at": .string(at), "wallTime": .string(wall), "zone": .string(zone)])
        #expect(WindowView.short(time) == shown)
    }
}
