import Glibc

/// What is fuzzed: one of ``Check``, named by `FUZZ_CHECK`, is given each input that libFuzzer makes up.
///
/// A check returns for whatever may be, and traps for what must never be; libFuzzer keeps the input that did it. Nothing here is part of the
/// product: the target exists only while `GATEHOUSE_FUZZ` is set (`Tests/Fuzz/run`).
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

/// libFuzzer's loop (FuzzerDriver.cpp, `LLVMFuzzerRunDriver`). It has no header in the toolchain; a call with three words is the same in both
/// languages on the systems that this runs on.
@_silgen_name("LLVMFuzzerRunDriver")
private func drive(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ look: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The parts that read what comes from outside.
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

/// Traps, in release builds too.
func hold(_ condition: Bool, _ words: @autoclosure () -> String) {
    if !condition { fatalError(words()) }
}
