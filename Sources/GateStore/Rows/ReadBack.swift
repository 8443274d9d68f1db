/// Reads what a transaction has just written with the very readers of the start and of the lists, before it is committed.
///
/// A row that nobody can read would be found out at the next start, long after its author was told that all is well, and then take
/// away more than itself.
enum ReadBack {
    /// For tests: writes what nobody can read, as an older version may have done.
    @TaskLocal static var isOff = false

    /// - Parameters:
    ///   - what: the row in words, as the start of a sentence.
    ///   - read: the row as its reader makes it; nil when it is not there.
    /// - Throws: ``StoreError/Code/internal`` when that is not `written`, or cannot be read at all; SQLite's own.
    static func check<Value: Equatable>(_ what: @autoclosure () -> String, _ written: Value, _ read: () throws -> Value?) throws {
        if isOff { return }
        let found: Value?
        do {
            found = try read()
        } catch let error as SQLError {
            throw error
        } catch {
            throw StoreError.internal(
                "\(what()) could not be read back, so nothing was written: \(StoreError(error, doing: "reading it").detail)"
            )
        }
        guard found == written else { throw StoreError.internal("\(what()) is not read back as it was written, so nothing was written") }
    }

    /// For readers that tell of a row as far as they can read it.
    static func checkWhole(_ fault: String?) throws {
        if let fault { throw StoreError(.corrupt, fault) }
    }
}
