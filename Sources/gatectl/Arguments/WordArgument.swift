import ArgumentParser

/// An option whose value is one of a model type's words: `--role viewer`.
struct WordArgument<Word: RawRepresentable<String> & CaseIterable>: ExpressibleByArgument {
    let word: Word

    init(_ word: Word) { self.word = word }

    init?(argument: String) {
        guard let word = Word(rawValue: argument) else { return nil }
        self.word = word
    }

    var defaultValueDescription: String { word.rawValue }

    static var allValueStrings: [String] { Word.allCases.map(\.rawValue) }

    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
