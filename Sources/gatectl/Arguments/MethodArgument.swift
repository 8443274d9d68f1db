import ArgumentParser
import GateAPI

/// A method of HTTP, in any case: people type `get`.
struct MethodArgument: ExpressibleByArgument {
    let method: Declaration.Method

    init?(argument: String) {
        guard let method = Declaration.Method(rawValue: argument.uppercased()) else { return nil }
        self.method = method
    }

    static let allValueStrings = ["GET", "POST", "PUT", "PATCH", "DELETE"]
}
