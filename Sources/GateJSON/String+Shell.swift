extension String {
    /// The text as one word of a POSIX shell's command line: as it is where the shell takes it so, in single quotes otherwise. For commands
    /// that are shown to be copied.
    package var asShellWord: String {
        let isPlain = !isEmpty && utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "_./:@%+=,-".utf8.contains($0) }
        // By scalars: an apostrophe with an accent on it is a different character to Swift, but still an apostrophe to the shell.
        return isPlain ? self : "'" + unicodeScalars.map { $0 == "'" ? #"'\''"# : String($0) }.joined() + "'"
    }
}
