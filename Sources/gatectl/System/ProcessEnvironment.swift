#if canImport(Glibc)
    @preconcurrency import Glibc
#else
    @preconcurrency import Darwin
#endif

/// The variables that this process was started with.
enum ProcessEnvironment {
    /// Read once; what gatectl sets later for its argument parser (``HelpWidth``) is not among them.
    static let variables: [String: String] = {
        var variables: [String: String] = [:]
        var next: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> = environ
        while let entry = next.pointee {
            let text = String(cString: entry)
            // The first of two equal names counts, as for getenv(3).
            if let equals = text.firstIndex(of: "="), case let name = String(text[..<equals]), variables[name] == nil {
                variables[name] = String(text[text.index(after: equals)...])
            }
            next = next.advanced(by: 1)
        }
        return variables
    }()
}
