import GateJSON
import Testing

@Suite struct ObjectReaderTests {
    private func reader(_ text: String) throws -> ObjectReader { try ObjectReader(JSONReader.read(text), "A thing") }

    private func field<Value>(_ text: String, _ read: (inout ObjectReader) throws(ModelError) -> Value) throws -> String? {
        var reader = try reader(text)
        do {
            _ = try read(&reader)
            return nil
        } catch {
            #expect(error.kind == .malformed && error.code == "malformed")
            return error.field
        }
    }

    @Test func membersAreReadByNameAndType() throws {
        var reader = try reader(#"{"s":"x","i":7,"b":true,"l":["a","b"],"n":null,"d":{"k":1}}"#)
        #expect(try reader.string("s") == "x")
        #expect(try reader.integer("i") == 7)
        #expect(try reader.flag("b") == true)
        #expect(try reader.strings("l") == ["a", "b"])
        #expect(reader.optional("n") == nil)
        #expect(try reader.needed("n") == .null)
        #expect(try reader.optionalString("missing") == nil)
        #expect(try reader.optionalInteger("n") == nil)
        #expect(try reader.flag("missing", default: true) == true)
        #expect(try reader.strings("missing") == [])
        let document = try reader.document("d") { json throws(ModelError) in json }
        #expect(document.text == #"{"k":1}"#)
        try reader.refuseOthers()
    }

    @Test(arguments: ["[]", "null", "1", "\"x\""])
    func whatIsNoObjectIsMalformed(text: String) {
        #expect { try reader(text) } throws: { ($0 as? ModelError)?.detail.hasPrefix("A thing is an object") == true }
    }

    @Test func wrongTypesNameTheirField() throws {
        #expect(try field(#"{"s":1}"#) { r throws(ModelError) in try r.string("s") } == "/s")
        #expect(try field("{}") { r throws(ModelError) in try r.string("s") } == "/s")
        #expect(try field(#"{"s":null}"#) { r throws(ModelError) in try r.string("s") } == "/s")
        #expect(try field(#"{"s":1}"#) { r throws(ModelError) in try r.optionalString("s") } == "/s")
        #expect(try field(#"{"i":1.0}"#) { r throws(ModelError) in try r.integer("i") } == "/i")
        #expect(try field(#"{"i":"1"}"#) { r throws(ModelError) in try r.optionalInteger("i") } == "/i")
        #expect(try field(#"{"b":1}"#) { r throws(ModelError) in try r.flag("b") } == "/b")
        #expect(try field(#"{"b":"true"}"#) { r throws(ModelError) in try r.flag("b", default: false) } == "/b")
        #expect(try field(#"{"l":["a",1]}"#) { r throws(ModelError) in try r.strings("l") } == "/l/1")
        #expect(try field(#"{"l":"a"}"#) { r throws(ModelError) in try r.strings("l") } == "/l")
        let inner = try field(#"{"d":{"t":{}}}"#) { r throws(ModelError) in
            try r.document("d") { json throws(ModelError) in
                var inner = try ObjectReader(json, "An inner thing")
                return try inner.string("t")
            }
        }
        #expect(inner == "/d/t")
    }

    /// A password or a code may have lost its quotes, and an error goes to whoever keeps errors.
    @Test func aNumberIsToldBackOnlyWhereANumberIsWanted() throws {
        var reader = try reader(#"{"password":123456789012,"code":271828,"on":271828,"revision":1.5}"#)
        #expect { try reader.string("password") } throws: { ($0 as? ModelError)?.detail == "password is a string, not a number." }
        #expect { try reader.optionalString("code") } throws: { ($0 as? ModelError)?.detail == "code is a string, not a number." }
        #expect { try reader.flag("on") } throws: { ($0 as? ModelError)?.detail == "on is true or false, not a number." }
        #expect { try reader.integer("revision") } throws: { ($0 as? ModelError)?.detail == "revision is a whole number, not 1.5." }
    }

    @Test func unknownNameIsRefusedWithAnEscapedPointer() throws {
        var reader = try reader(#"{"a":1,"b/c~d":2}"#)
        _ = reader.optional("a")
        #expect { try reader.refuseOthers() } throws: { ($0 as? ModelError)?.field == "/b~1c~0d" }
    }
}
