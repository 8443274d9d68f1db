/// A PostgreSQL type by its number (pg_type.dat; the numbers of built-in types never change). Named here are those with a kind of their own
/// in ``PostgresValue``, and `numeric`. Values are sent and received as text, except for bytes, which are sent in binary.
struct PostgresType: Hashable, CustomStringConvertible {
    let oid: UInt32

    static let boolean = PostgresType(oid: 16)
    static let bytes = PostgresType(oid: 17)
    static let int8 = PostgresType(oid: 20)
    static let int2 = PostgresType(oid: 21)
    static let int4 = PostgresType(oid: 23)
    static let oid = PostgresType(oid: 26)
    static let float4 = PostgresType(oid: 700)
    static let float8 = PostgresType(oid: 701)
    static let numeric = PostgresType(oid: 1700)

    private static let names: [PostgresType: String] = [
        .boolean: "boolean", .bytes: "bytea", .int8: "bigint", .int2: "smallint", .int4: "integer", .oid: "oid", .float4: "real",
        .float8: "double precision", .numeric: "numeric",
    ]

    /// The type's SQL name; `text` for every type that is not named here.
    var description: String { Self.names[self] ?? "text" }

    private var integers: ClosedRange<Int64>? {
        switch self {
        case .int8: .min ... .max
        case .int4: Int64(Int32.min)...Int64(Int32.max)
        case .int2: Int64(Int16.min)...Int64(Int16.max)
        case .oid: 0...Int64(UInt32.max)
        default: nil
        }
    }

    private var isText: Bool {
        switch self {
        case .boolean, .bytes, .int8, .int4, .int2, .oid, .float4, .float8: false
        default: true
        }
    }

    /// A value as a parameter of this type.
    enum Encoded: Equatable {
        case null
        case text(String)
        case bytes([UInt8])
    }

    /// - Returns: nil for a value that this type cannot hold without loss.
    func encode(_ value: PostgresValue) -> Encoded? {
        switch value {
        case .null: .null
        case .boolean(let flag): self == .boolean ? .text(flag ? "t" : "f") : nil
        case .integer(let number): encode(number)
        case .double(let number): encode(number)
        case .text(let text): isText ? .text(text) : nil
        case .bytes(let bytes): self == .bytes ? .bytes(bytes) : nil
        }
    }

    private func encode(_ number: Int64) -> Encoded? {
        if self == .numeric { return .text(String(number)) }
        if let integers { return integers.contains(number) ? .text(String(number)) : nil }
        return Double(exactly: number).flatMap { encode($0) }
    }

    private func encode(_ number: Double) -> Encoded? {
        guard self == .float8 || self == .float4 && (number.isNaN || Double(Float(number)) == number) else { return nil }
        if number.isNaN { return .text("NaN") }
        if number.isInfinite { return .text(number < 0 ? "-Infinity" : "Infinity") }
        // The shortest text that is read back as the same number.
        return .text("\(number)")
    }

    /// - Parameter text: as the server writes values of this type.
    /// - Returns: nil for bytes that are not such a value, or not UTF-8.
    func decode(_ text: UnsafeBufferPointer<UInt8>) -> PostgresValue? {
        if self == .bytes { return Self.bytes(hex: text).map { .bytes($0) } }
        guard let text = String(validating: text, as: UTF8.self) else { return nil }
        if integers != nil { return Int64(text).map { .integer($0) } }
        return switch self {
        case .boolean: text == "t" ? .boolean(true) : text == "f" ? .boolean(false) : nil
        case .float8: Double(text).map { .double($0) }
        case .float4: Float(text).map { .double(Double($0)) }
        default: .text(text)
        }
    }

    /// `\x00ff` (8.4.1, "bytea Hex Format").
    private static func bytes(hex: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard hex.count >= 2, hex.count.isMultiple(of: 2), hex[0] == UInt8(ascii: "\\"), hex[1] == UInt8(ascii: "x") else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(hex.count / 2 - 1)
        for index in stride(from: 2, to: hex.count, by: 2) {
            guard let high = nibble(hex[index]), let low = nibble(hex[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func nibble(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x61...0x66: digit - 0x61 + 10
        default: nil
        }
    }
}
