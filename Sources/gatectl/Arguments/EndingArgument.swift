import ArgumentParser
import GateModel

/// `--then`, in the words of ``Window/Ending``.
enum EndingArgument: String, ExpressibleByArgument, CaseIterable {
    case open, restore

    var ending: Window.Ending { self == .open ? .open : .restore }
}
