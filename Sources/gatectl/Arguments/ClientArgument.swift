import ArgumentParser
import GateModel

/// `--client`, in the words of ``ClientLibrary``.
enum ClientArgument: String, ExpressibleByArgument, CaseIterable {
    case bellerophon, launchgate, gandalf
    case princeOfVersions = "prince-of-versions"

    var library: ClientLibrary {
        switch self {
        case .bellerophon: .bellerophon
        case .launchgate: .launchgate
        case .gandalf: .gandalf
        case .princeOfVersions: .princeOfVersions
        }
    }
}
