import GateFeeds
import GateHTTP
import Synchronization

/// Answers for single phones, made once and given to all who are told the same: a bounded number, whatever anybody asks for.
///
/// A full shelf is emptied. Each answer that is still polled is then made once more, which takes some fifty microseconds, so a caller who
/// asks for thousands that nobody else wants gains nothing by filling it. Any thread.
final class VariantShelf: Sendable {
    struct Key: Hashable, Sendable {
        /// Which state of which app.
        let source: UInt64
        let answer: TargetedAnswer
        /// The key that signs it; nil for an answer that is not signed.
        let keyID: String?
    }

    /// What a question was put to: the same bytes mean something else to another feed, another state of the app, or with another key.
    struct Asker: Hashable, Sendable {
        let feed: UInt64
        let source: UInt64
        let keyID: String?
        /// ``VersionTally/generation``: a version that nobody polled with for a day gets a new counter.
        let tally: UInt64
    }

    /// How many answers are kept: at about two kilobytes each, eight megabytes.
    static let capacity = 4_096
    /// How many questions are remembered: at about two hundred bytes each, one and a half megabytes.
    static let questionCapacity = 2 * capacity
    /// Bytes of the longest question that is remembered; a phone tells its version, system and language in half of that.
    private static let mostBytes = 128

    private let capacity: Int

    /// - Parameter capacity: how many answers are kept; twice as many questions are.
    init(capacity: Int = VariantShelf.capacity) { self.capacity = capacity }

    /// Nil for an answer that is the feed's own.
    private let answers = Mutex<[Key: PreparedResponse?]>([:])
    /// The answers by the bytes of the question: most polls repeat what others have asked, and are answered without parsing it.
    private let questions = Mutex<[Question: Answer]>([:])

    /// How many answers are kept.
    var count: Int { answers.withLock { $0.count } }

    /// How many questions are remembered.
    var questionCount: Int { questions.withLock { $0.count } }

    /// The answer for a key, made now if it is not there. Two callers at once may both make it, but get the same one.
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
        // Released here and not under the lock.
        _ = gone
        return kept
    }

    /// What was answered to the same bytes before, or else the result of `answer`, which is remembered for those who ask next.
    func answer(to question: UnsafeRawBufferPointer, of asker: Asker, answer: () -> Answer) -> Answer {
        guard question.count <= Self.mostBytes else { return answer() }
        let key = Question(question, of: asker)
        // Polls are no longer counted where this version was; it must find its new place.
        if let known = questions.withLock({ $0[key] }), known.counter?.isRetired != true { return known }
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
        /// Where polls of the named version are counted; nil where none was named.
        let counter: VersionTally.Counter?
    }

    /// A question by its bytes: 128 bits of a hash whose key nobody outside this process knows, so that no two questions collide.
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
