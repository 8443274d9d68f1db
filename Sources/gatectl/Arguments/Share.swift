import ArgumentParser

/// A share of polls as people type it: `95%`.
struct Share: ExpressibleByArgument, Sendable {
    /// 1 to 100.
    let percent: Int

    init?(argument: String) {
        guard argument.hasSuffix("%"), let percent = Int(argument.dropLast()), (1...100).contains(percent) else { return nil }
        self.percent = percent
    }
}
