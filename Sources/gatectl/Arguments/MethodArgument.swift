import ArgumentParser
import GateAPI

/// An HTTP method in upper or lower case: people type `get`.
struct MethodArgument: ExpressibleByArgument {
    let method: Declaration.Method

    init?(argument: String) {
        guard let method = Declaration.Method(rawValue: argument.uppercased()) else { return nil }
        self.method = method
    }

    static let allValueStrings = ["GET", "POST", "PUT", "PATCH", "DELETE"]
}
