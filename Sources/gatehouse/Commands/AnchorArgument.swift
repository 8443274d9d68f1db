import ArgumentParser
import GateStore

/// The file of `--anchor`: from the command line, or else from `GATEHOUSE_ANCHOR`.
enum AnchorArgument {
    static let variable = OptionSources.variable("anchor")

    /// - Parameter given: the command line's value, which takes precedence over the variable.
    /// - Returns: nil where neither names one.
    /// - Throws: a validation error when there is no such file, or it holds no anchor.
    static func read(given: String?) throws -> ChainAnchor? { try OptionSources.environment("anchor", given: given).map(read) }

    /// - Throws: a validation error when there is no such file, or it holds no anchor.
    private static func read(_ path: String) throws -> ChainAnchor {
        do throws(StoreError) {
            guard let anchor = try ChainAnchor.read(from: path, mayWait: true) else {
                throw StoreError(.notFound, "There is no anchor \(path)")
            }
            return anchor
        } catch { throw ValidationError(error.code == .unreadable ? "\(path): \(error.detail)." : "\(error.detail).") }
    }
}
