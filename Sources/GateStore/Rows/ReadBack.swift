/// Reads what a transaction has just written, before it is committed, with the same code that reads it at the start and for lists.
///
/// Otherwise an unreadable row would be found at the next start, long after its author was told that all is well, and might then take more
/// than itself with it.
enum ReadBack {
    /// For tests: allows writing unreadable rows, as an older version may have done.
    @TaskLocal static var isOff = false

    /// - Parameters:
    ///   - what: the row in words, as the start of a sentence.
    ///   - read: reads the row; nil when it is not there.
    /// - Throws: ``StoreError/Code/internal`` when the result differs from `written`, or the row cannot be read at all; the engine's own.
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

    /// For readers that salvage what they can of a row and report a fault.
    static func checkWhole(_ fault: String?) throws {
        if let fault { throw StoreError(.corrupt, fault) }
    }
}
