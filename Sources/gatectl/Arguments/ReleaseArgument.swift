import ArgumentParser
import GateModel

/// `--release`, in the words of `GandalfRelease`.
struct ReleaseArgument: ExpressibleByArgument {
    let release: GandalfRelease

    init?(argument: String) {
        guard let release = GandalfRelease(rawValue: argument) else { return nil }
        self.release = release
    }

    static let allValueStrings = GandalfRelease.allCases.map(\.rawValue)
}
