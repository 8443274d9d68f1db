import Glibc

/// The fuzzing program: gives each input that libFuzzer makes up to the ``Check`` named by `FUZZ_CHECK`.
///
/// A check returns if all is well, and traps on what must never happen; libFuzzer keeps the input that caused it. Nothing here is part of
/// the product: the target exists only while `GATEHOUSE_FUZZ` is set (`Tests/Fuzz/run`).
@main
enum Fuzz {
    static func main() {
        var count = CommandLine.argc
        var arguments = CommandLine.unsafeArgv
        exit(drive(&count, &arguments, look))
    }
}

private let chosen: Check = {
    let name = getenv("FUZZ_CHECK").map { String(cString: $0) } ?? ""
    guard let check = Check(rawValue: name) else {
        fatalError("FUZZ_CHECK is one of \(Check.allCases.map(\.rawValue).joined(separator: ", ")), not \"\(name)\"")
    }
    return check
}()

private func look(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    chosen.look(bytes.map { Array(UnsafeBufferPointer(start: $0, count: count)) } ?? [])
    return 0
}

/// libFuzzer's loop (FuzzerDriver.cpp, `LLVMFuzzerRunDriver`). The toolchain has no header for it; on the systems that this runs on, Swift
/// and C++ pass three word-sized arguments in the same way.
@_silgen_name("LLVMFuzzerRunDriver")
private func drive(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ look: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The parts of the product that read outside data.
enum Check: String, CaseIterable {
    case json, paths, versions, times, messages, imports, gates, clients

    func look(_ input: [UInt8]) {
        switch self {
        case .json: JSONCheck.look(input)
        case .paths: PathCheck.look(input)
        case .versions: VersionCheck.look(input)
        case .times: TimeCheck.look(input)
        case .messages: MessageCheck.look(input)
        case .imports: ImportCheck.look(input)
        case .gates: GateCheck.look(input)
        case .clients: ClientCheck.look(input)
        }
    }
}

/// Traps if the condition is false, in release builds too.
func hold(_ condition: Bool, _ words: @autoclosure () -> String) {
    if !condition { fatalError(words()) }
}
