import GateJSON

/// What the strict reader accepts can be written and read again as the same value, whatever its spelling was.
enum JSONCheck {
    static func look(_ input: [UInt8]) {
        let value: JSONValue
        do { value = try JSONReader.read(input) } catch {
            hold((0...input.count).contains(error.offset), "an error lies outside of its text")
            return
        }
        same(value.bytes, value)
        same(Array(value.indented.utf8), value)
        same(value.sorted.bytes, value)
        hold(value.sorted.bytes == value.sorted.sorted.bytes, "sorting twice is not sorting once")
        hold(String(validating: value.bytes, as: UTF8.self) != nil, "what is written is no UTF-8")
    }

    private static func same(_ bytes: [UInt8], _ value: JSONValue) {
        // Escapes may make a text longer than the limit for input.
        do { hold(try JSONReader.read(bytes, limits: .own) == value, "another value comes back") } catch {
            fatalError("what was written is not read: \(error)")
        }
    }
}
