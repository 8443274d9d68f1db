import ArgumentParser

/// An option whose value is one of a model type's words: `--role viewer`.
struct WordArgument<Word: RawRepresentable<String> & CaseIterable>: ExpressibleByArgument {
    let word: Word

    init?(argument: String) {
        guard let word = Word(rawValue: argument) else { return nil }
        self.word = word
    }

    static var allValueStrings: [String] { Word.allCases.map(\.rawValue) }
}
