import GateJSON
import GateModel
import Testing

/// An edit that was read once does to every target what the edit itself does.
@Suite struct PreparedEditTests {
    private static let edits: [String] = [
        "{}", #"{"killSwitch":null}"#, #"{"killSwitch":{"message":" Back. "}}"#,
        #"{"killSwitch":{"message":"Back.","retryInterval":null}}"#,
        #"{"killSwitch":{"message":"Back.","retryInterval":30,"until":"2026-04-02T09:32:14Z"}}"#,
        #"{"killSwitch":{"message":"Back.","retryInterval":4}}"#,
        #"{"forceUpdate":{"message":{"default":"a","de":"b"}},"alert":null}"#, #"{"forceUpdate":{"message":""}}"#,
        #"{"requiredUpdate":{"minimumVersion":"41","message":"a"}}"#,
        #"{"requiredUpdate":{"minimumVersion":"4.2","blockedVersions":["41"],"message":"a"}}"#,
        #"{"requiredUpdate":{"minimumVersion":"41","blockedVersions":["41","4.2"],"message":"a"},"optionalUpdate":{"optionalVersion":"42","message":"b"}}"#,
        #"{"optionalUpdate":{"optionalVersion":"x","message":"b"},"requiredUpdate":{"minimumVersion":"4.2","message":""}}"#,
        #"{"alert":{"message":"a","blocking":true},"requiredUpdate":null}"#, #"{"alert":{"message":"\u202e","blocking":true}}"#,
    ]

    private static let settings = [
        PlatformSettings(versionScheme: .dotted, defaultRetryInterval: 45),
        PlatformSettings(versionScheme: .code, defaultRetryInterval: 60),
    ]

    private static let gates = [
        Gate.open,
        Gate(
            killSwitch: KillSwitch(message: .text("k"), retryInterval: 5),
            forceUpdate: ForceUpdate(message: .text("f")),
            requiredUpdate: RequiredUpdate(minimumVersion: "1", message: .text("r")),
            alert: Alert(message: .text("a"), blocking: true)
        ),
    ]

    private func outcome(_ gate: Gate, _ apply: (inout Gate) throws(ModelError) -> Void) -> Result<Gate, ModelError> {
        var gate = gate
        do throws(ModelError) {
            try apply(&gate)
            return .success(gate)
        } catch { return .failure(error) }
    }

    @Test(arguments: edits) func itDoesWhatTheEditDoes(text: String) throws {
        let edit = try GateEdit(json: JSONReader.read(text))
        let prepared = try PreparedEdit(edit)
        for settings in Self.settings {
            for gate in Self.gates {
                let wanted = outcome(gate) { gate throws(ModelError) in try gate.apply(edit, settings: settings) }
                let found = outcome(gate) { gate throws(ModelError) in try gate.apply(prepared, settings: settings) }
                #expect(found == wanted, "\(text) on \(gate.json.text) with \(settings.versionScheme)")
            }
        }
    }

    /// Anywhere in it, also behind a value that is refused.
    @Test(arguments: [
        (#"{"alert":{"message":"a","blocking":1}}"#, "/alert/blocking"),
        (#"{"killSwitch":{"message":"","retryInterval":30},"alert":{"message":1,"blocking":true}}"#, "/alert/message"),
        (
            #"{"requiredUpdate":{"minimumVersion":"x","message":"a"},"optionalUpdate":{"optionalVersion":5,"message":"a"}}"#,
            "/optionalUpdate/optionalVersion"
        ),
        (#"{"alert":{"message":"a","blocking":true,"colour":"red"}}"#, "/alert/colour"),
    ])
    func whatIsMalformedIsSaidAtOnce(text: String, field: String) throws {
        let edit = try GateEdit(json: JSONReader.read(text))
        #expect {
            try PreparedEdit(edit)
        } throws: { error in
            (error as? ModelError)?.kind == .malformed && (error as? ModelError)?.field == field
        }
    }
}
