import GateAdminClient
import GateJSON
import GateModel
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Where a command's words go: data to standard output, everything said about it to standard error.
struct Console: Sendable {
    let format: OutputFormat
    let isQuiet: Bool
    let isVerbose: Bool
    let inUTC: Bool
    let out: Style
    let err: Style
    let isOutTerminal: Bool
    /// Whether somebody is at the terminal and may be asked.
    let mayAsk: Bool

    /// - Parameter environment: the process's, passed in for `NO_COLOR`, `TERM`, the locale and `GATECTL_NO_INPUT`.
    init(
        format: OutputFormat,
        isQuiet: Bool = false,
        isVerbose: Bool = false,
        inUTC: Bool = false,
        noColour: Bool = false,
        noInput: Bool = false,
        environment: [String: String]
    ) {
        self.format = format
        self.isQuiet = isQuiet
        self.isVerbose = isVerbose
        self.inUTC = inUTC
        isOutTerminal = isatty(STDOUT_FILENO) == 1
        let isErrTerminal = isatty(STDERR_FILENO) == 1
        out = .detect(environment: environment, isTerminal: isOutTerminal, refused: noColour)
        err = .detect(environment: environment, isTerminal: isErrTerminal, refused: noColour)
        let isLeftAlone = noInput || environment["GATECTL_NO_INPUT"].map { !$0.isEmpty && $0 != "0" } ?? false
        mayAsk = isatty(STDIN_FILENO) == 1 && isErrTerminal && !isLeftAlone && format != .json
    }

    var isJSON: Bool { format == .json }

    /// A line of the answer.
    func data(_ line: String) { data([line]) }

    /// Lines of the answer, in one write: several writes would wake the reader several times.
    func data(_ lines: [String]) {
        // Programs get what people wrote as it is: another sign in its place could end a string of JSON.
        let shown = format != .plain ? lines.map(out.shown) : isOutTerminal ? lines.map { Style.withoutControls($0) } : lines
        if !lines.isEmpty { bytes(Array(shown.map { $0 + "\n" }.joined().utf8)) }
    }

    /// A table of the answer.
    func table(_ table: Table) { data(table.lines(style: out, width: tableWidth)) }

    /// Lines of the answer. If they are more than the terminal shows at once, they go through the pager, if there is one.
    func page(_ lines: [String]) {
        if let height, lines.count >= height, Pager.show(lines.map { out.shown($0) + "\n" }.joined()) { return }
        data(lines)
    }

    /// A document that is the answer: byte for byte for a program; on a terminal without control characters, and the prompt on a new line.
    func document(_ bytes: [UInt8]) {
        guard isOutTerminal else { return self.bytes(bytes) }
        let text = Style.withoutControls(String(decoding: bytes, as: UTF8.self))
        self.bytes(Array((text.utf8.last == UInt8(ascii: "\n") ? text : text + "\n").utf8))
    }

    /// The answer itself, byte for byte.
    func bytes(_ bytes: [UInt8]) {
        do throws(FileSystem.Fault) {
            if StandardStreams.isOutputClosed { throw FileSystem.Fault(number: EBADF) }
            try FileSystem.write(bytes, to: STDOUT_FILENO)
        } catch {
            Self.fault.withLock { $0 = error }
        }
    }

    private static let fault = Mutex<FileSystem.Fault?>(nil)

    /// Why some of the answer was not written; nil when all of it was, or as much as its reader wanted: `head` goes when it has enough.
    static var outputFault: FileSystem.Fault? { lost.flatMap { $0.number == EPIPE ? nil : $0 } }

    /// The same for an answer that is shown only once, which nobody has if its reader has gone.
    static var lost: FileSystem.Fault? { fault.withLock { $0 } }

    /// - Throws: if some of the answer was not written although somebody waits for it.
    static func requireOutput() throws(Failure) {
        guard let fault = outputFault else { return }
        throw Failure(.other, "output_lost", "the answer could not be written to standard output: \(fault.words)")
    }

    /// One JSON document on one line.
    func json(_ value: JSONValue) { document(value.bytes + [UInt8(ascii: "\n")]) }

    /// Something besides the answer: context, plan, next steps. Silent with `-q`, and with JSON, whose reader is a program.
    func note(_ line: String) {
        if !isQuiet, !isJSON { Self.write(err.shown(line) + "\n", to: STDERR_FILENO) }
    }

    /// Something that must be seen before a question or with an error, even with `-q`.
    func say(_ line: String) { Self.write(err.shown(line) + "\n", to: STDERR_FILENO) }

    /// The same for a program: one JSON document on one line.
    func sayJSON(_ value: JSONValue) { Self.write(value.text + "\n", to: STDERR_FILENO) }

    func verbose(_ line: String) {
        if isVerbose { Self.write(err.shown(line) + "\n", to: STDERR_FILENO) }
    }

    /// Asks on standard error and reads one line.
    /// - Returns: nil at the end of the input.
    func ask(_ question: String) -> String? {
        Self.write(err.shown(question), to: STDERR_FILENO)
        let answer = readLine(strippingNewline: true)
        if answer == nil { Self.write("\n", to: STDERR_FILENO) }
        return answer
    }

    /// Asks a yes/no question; anything but `y` or `yes` means no.
    /// - Parameter question: without its question mark.
    func agrees(_ question: String) -> Bool { ["y", "yes"].contains(ask("\(question)? [y/N] ")?.trimmed.lowercased() ?? "") }

    /// Like ``ask(_:)``, without showing what is typed.
    func askSecretly(_ question: String) -> String? {
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return ask(question) }
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO)
        Interrupt.restoringTerminal(before)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
            Interrupt.restoringTerminal(nil)
            Self.write("\n", to: STDERR_FILENO)
        }
        Self.write(err.shown(question), to: STDERR_FILENO)
        return readLine(strippingNewline: true)
    }

    /// Columns of the terminal on standard output; nil when that is no terminal and nothing needs to fit.
    var width: Int? { size.map { $0.ws_col > 0 ? Int($0.ws_col) : 80 } }

    /// Columns that a table may take; nil, which cuts nothing, in the wide format too.
    var tableWidth: Int? { format == .wide ? nil : width }

    /// Its lines; nil when it is no terminal, or does not say.
    private var height: Int? { size.flatMap { $0.ws_row > 0 ? Int($0.ws_row) : nil } }

    private var size: winsize? {
        guard isOutTerminal else { return nil }
        var size = winsize()
        return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 ? size : winsize()
    }

    private static func write(_ text: String, to descriptor: Int32) {
        // If the reader of our output has gone, there is nobody left to tell.
        try? FileSystem.write(Array(text.utf8), to: descriptor)
    }
}
