import GateJSON
import GateModel
import Synchronization

/// What the texts of the windows that were last read say.
///
/// A list of windows is read again and again while they change seldom, and most of its work is reading the same texts. A text always says
/// the same, so nothing here can be out of date; whether a row is obeyed is decided for every row as before. Thread-safe.
final class WindowTexts: Sendable {
    /// A text, and the window it says.
    struct Known: Sendable {
        /// Bytes, because comparing texts goes through one character after the other.
        let text: [UInt8]
        let window: Window
        /// Whether it is the window's document as this release writes it, and may be sent instead of writing that.
        let isAsWritten: Bool

        init(_ text: [UInt8]) throws {
            self.text = text
            window = try Window(json: JSONReader.read(text, limits: .own))
            isAsWritten = window.json.bytes == text
        }
    }

    private let most: Int
    private let known = Mutex<(byID: [Int: Known], bytes: Int)>(([:], 0))

    /// - Parameter most: bytes of all texts; what they say takes several times as much memory. As it is, some three thousand windows of the
    ///   usual size, or the two largest pages.
    init(most: Int = 4_194_304) { self.most = most }

    /// How much is remembered.
    var bytes: Int { known.withLock(\.bytes) }

    /// What the text of the window with that identifier says.
    /// - Throws: ``JSONError`` and ``ModelError`` where it does not say a window.
    func read(_ text: String, of id: Int) throws -> Known {
        let text = Array(text.utf8)
        if let same = known.withLock({ $0.byID[id] }), same.text == text { return same }
        let new = try Known(text)
        known.withLock { known in
            known.bytes -= known.byID.removeValue(forKey: id)?.text.count ?? 0
            // Forgetting them all costs the next reader what every reader paid without them.
            if known.bytes + text.count > most { known = ([:], 0) }
            known.byID[id] = new
            known.bytes += text.count
        }
        return new
    }
}
