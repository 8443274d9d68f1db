import ArgumentParser
import GateStore

/// The file of `--anchor`.
enum AnchorArgument {
    /// - Throws: a validation error when there is no such file, or it holds no anchor.
    static func read(_ path: String) throws -> ChainAnchor {
        do throws(StoreError) {
            guard let anchor = try ChainAnchor.read(from: path) else { throw StoreError(.notFound, "There is no anchor \(path)") }
            return anchor
        } catch { throw ValidationError("\(error.detail).") }
    }
}
