import GateJSON
import Testing

@Suite struct ObjectReaderTests {
    private func reader(_ text: String, refusesOthers: Bool = true) throws -> ObjectReader {
        try ObjectReader(JSONReader.read(text), "A thing", refusesOthers: refusesOthers)
    }

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
        #expect(try reader.value("s", .string) == "x")
        #expect(try reader.value("i", .integer(0...)) == 7)
        #expect(try reader.value("b", .flag) == true)
        #expect(try reader.value("l", .list(of: .string)) == ["a", "b"])
        #expect(reader.optional("n") == nil)
        #expect(try reader.needed("n") == .null)
        #expect(try reader.optionalValue("missing", JSONCodec<String>.string) == nil)
        #expect(try reader.optionalValue("n", .integer(0...)) == nil)
        #expect(try reader.presentValue("missing", .flag) == nil)
        #expect(try reader.presentValue("n", .anything) == .null)
        #expect(try reader.value("d", .anyObject).names == ["k"])
        #expect(reader.members(["d", "missing", "s"]).names == ["s", "d"])
        #expect(try reader.value("d", .anything).text == #"{"k":1}"#)
        try reader.refuseOthers()
    }

    @Test(arguments: ["[]", "null", "1", "\"x\""])
    func whatIsNoObjectIsMalformed(text: String) {
        #expect { try reader(text) } throws: { ($0 as? ModelError)?.detail.hasPrefix("A thing is an object") == true }
    }

    @Test func wrongTypesNameTheirField() throws {
        #expect(try field(#"{"s":1}"#) { r throws(ModelError) in try r.value("s", .string) } == "/s")
        #expect(try field("{}") { r throws(ModelError) in try r.value("s", .string) } == "/s")
        #expect(try field(#"{"s":null}"#) { r throws(ModelError) in try r.value("s", .string) } == "/s")
        #expect(try field(#"{"s":1}"#) { r throws(ModelError) in try r.optionalValue("s", JSONCodec<String>.string) } == "/s")
        #expect(try field(#"{"i":1.0}"#) { r throws(ModelError) in try r.value("i", .integer(0...)) } == "/i")
        #expect(try field(#"{"i":"1"}"#) { r throws(ModelError) in try r.optionalValue("i", .integer(0...)) } == "/i")
        #expect(try field(#"{"b":1}"#) { r throws(ModelError) in try r.value("b", .flag) } == "/b")
        #expect(try field(#"{"b":"true"}"#) { r throws(ModelError) in try r.optionalValue("b", .flag) } == "/b")
        #expect(try field(#"{"l":["a",1]}"#) { r throws(ModelError) in try r.value("l", .list(of: .string)) } == "/l/1")
        #expect(try field(#"{"l":"a"}"#) { r throws(ModelError) in try r.value("l", .list(of: .string)) } == "/l")
        let inner = try field(#"{"d":{"t":{}}}"#) { r throws(ModelError) in
            try r.value("d", .map(of: .string, key: { name throws(ModelError) in name }, name: { $0 }))
        }
        #expect(inner == "/d/t")
    }

    /// A password or a code may have lost its quotes, and an error goes to whoever keeps errors.
    @Test func aNumberIsToldBackOnlyWhereANumberIsWanted() throws {
        var reader = try reader(#"{"password":123456789012,"code":271828,"on":271828,"revision":1.5}"#)
        #expect { try reader.value("password", .string) } throws: { ($0 as? ModelError)?.detail == "password is a string, not a number." }
        #expect { try reader.optionalValue("code", JSONCodec<String>.string) } throws: {
            ($0 as? ModelError)?.detail == "code is a string, not a number."
        }
        #expect { try reader.value("on", .flag) } throws: { ($0 as? ModelError)?.detail == "on is true or false, not a number." }
        #expect { try reader.value("revision", .integer(0...)) } throws: {
            ($0 as? ModelError)?.detail == "revision is a whole number, not 1.5."
        }
    }

    @Test func unknownNameIsRefusedWithAnEscapedPointer() throws {
        var reader = try reader(#"{"a":1,"b/c~d":2}"#)
        _ = reader.optional("a")
        #expect { try reader.refuseOthers() } throws: { ($0 as? ModelError)?.field == "/b~1c~0d" }
    }

    @Test func aMemberIsFoundInWhateverOrderTheyAreAskedFor() throws {
        let names = ["a", "b", "c", "d"]
        for first in names {
            for second in names {
                for third in names + ["missing"] {
                    var reader = try reader(#"{"a":"a","b":"b","c":"c","d":"d"}"#)
                    #expect(try reader.value(first, .string) == first)
                    #expect(try reader.value(second, .string) == second)
                    #expect(reader.optional(third)?.string == (third == "missing" ? nil : third))
                    #expect(try reader.value(first, .string) == first)
                }
            }
        }
    }

    @Test func whereANewerWriterMayAddMembersNoneIsRefused() throws {
        var reader = try reader(#"{"a":1,"b":2}"#, refusesOthers: false)
        _ = reader.optional("a")
        try reader.refuseOthers()
    }
}
