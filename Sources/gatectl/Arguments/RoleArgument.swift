import ArgumentParser
import GateModel

/// `--role`, in the words of `Role`.
struct RoleArgument: ExpressibleByArgument {
    let role: Role

    init?(argument: String) {
        guard let role = Role(rawValue: argument) else { return nil }
        self.role = role
    }

    static let allValueStrings = Role.allCases.map(\.rawValue)
}
