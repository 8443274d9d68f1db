import GateFeeds
import GateHTTP
import Synchronization

/// Answers for single phones, made once and given to all who are told the same: a bounded number, whatever anybody asks for.
///
/// What is full is emptied. Each answer that somebody polls is then made once more, which takes some fifty microseconds, and whoever asks for
/// thousands that nobody else does has filled it with nothing but its own. Any thread.
final class VariantShelf: Sendable {
    struct Key: Hashable, Sendable {
        /// Which state of which app.
        let source: UInt64
        let answer: TargetedAnswer
        /// The key that signs it; nil for an answer that is not signed.
        let keyID: String?
    }

    /// To whom a question is put: the same bytes mean something else to another feed, to another state of the app, and beside another key.
    struct Asker: Hashable, Sendable {
        let feed: UInt64
        let source: UInt64
        let keyID: String?
        /// ``VersionTally/generation``: a version that nobody polled with for a day is counted anew.
        let tally: UInt64
    }

    /// Answers that are kept: at about two kilobytes each, eight megabytes.
    static let capacity = 4_096
    /// Questions whose answers are known: at about two hundred bytes each, one and a half megabytes.
    static let questionCapacity = 2 * capacity
    /// Bytes of the longest question that is remembered; a phone tells its version, system and language in half of it.
    private static let mostBytes = 128

    private let capacity: Int

    /// - Parameter capacity: answers that are kept, and half of the questions.
    init(capacity: Int = VariantShelf.capacity) { self.capacity = capacity }

    /// Nil for an answer that is the feed's own.
    private let answers = Mutex<[Key: PreparedResponse?]>([:])
    /// The answers by the bytes of the question: most polls repeat what others have asked, and are answered without reading it.
    private let questions = Mutex<[Question: Answer]>([:])

    /// How many answers are kept.
    var count: Int { answers.withLock { $0.count } }

    /// How many questions are remembered.
    var questionCount: Int { questions.withLock { $0.count } }

    /// The answer of a key, made now where it is not there; two that ask at once may both make it, and get the same one.
    func response(for key: Key, make: () -> PreparedResponse?) -> PreparedResponse? {
        if let present = answers.withLock({ $0[key] }) { return present }
        let made = make()
        let (kept, gone) = answers.withLock { answers -> (PreparedResponse?, [Key: PreparedResponse?]) in
            if let present = answers[key] { return (present, [:]) }
            var gone: [Key: PreparedResponse?] = [:]
            if answers.count >= capacity { swap(&gone, &answers) }
            answers[key] = .some(made)
            return (made, gone)
        }
        // Let go of here, and not under the lock.
        _ = gone
        return kept
    }

    /// What was answered to the same bytes before, or else `answer`, which is remembered for the next who ask.
    func answer(to question: UnsafeRawBufferPointer, of asker: Asker, answer: () -> Answer) -> Answer {
        guard question.count <= Self.mostBytes else { return answer() }
        let key = Question(question, of: asker)
        if let known = questions.withLock({ $0[key] }) { return known }
        let answer = answer()
        let gone = questions.withLock { questions -> [Question: Answer] in
            var gone: [Question: Answer] = [:]
            if questions.count >= 2 * capacity { swap(&gone, &questions) }
            questions[key] = answer
            return gone
        }
        _ = gone
        return answer
    }

    /// What a feed answers to a question.
    struct Answer: Sendable {
        /// Nil where it is the feed's own.
        let response: PreparedResponse?
        /// Where polls of the version are counted that was named; nil where none was.
        let counter: VersionTally.Counter?
    }

    /// A question by its bytes: 128 bits of a hash whose key nobody outside of this process knows, so that no two are ever one.
    private struct Question: Hashable, Sendable {
        private let one: Int
        private let other: Int

        init(_ bytes: UnsafeRawBufferPointer, of asker: Asker) {
            var hasher = Hasher()
            hasher.combine(asker)
            hasher.combine(bytes: bytes)
            var second = hasher
            second.combine(0x5eed as UInt16)
            one = hasher.finalize()
            other = second.finalize()
        }
    }
}
