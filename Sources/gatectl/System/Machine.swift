#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What the machine is called.
enum Machine {
    static var name: String {
        var name = [CChar](repeating: 0, count: 256)
        // A name that does not fit is cut, possibly without a zero at its end, so the last byte is kept free.
        guard gethostname(&name, name.count - 1) == 0 else { return "a machine without a name" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
