import GateJSON
import GateModel
import Testing

@Suite struct AppTests {
    @Test func nameIsOneCleanLine() throws {
        #expect(try App.name(validating: " Shop ", field: "/name") == "Shop")
        for name in ["", "a\nb", "a\u{202E}b", String(repeating: "a", count: 101)] {
            #expect { try App.name(validating: name, field: "/name") } throws: { error in
                let error = error as? ModelError
                return error?.code == "invalid_name" && error?.field == "/name"
            }
        }
    }
}
