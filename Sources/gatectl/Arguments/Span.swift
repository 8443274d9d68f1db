import ArgumentParser

/// A span of time as people type it: `90s`, `30m`, `2h`, `1d`.
struct Span: ExpressibleByArgument, Sendable, Equatable {
    let seconds: Int

    init?(argument: String) {
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
        guard let unit = argument.last.flatMap({ units[$0] }), let count = Int(argument.dropLast()), count > 0, count <= 1_000_000,
            argument.dropLast().allSatisfy(\.isNumber)
        else { return nil }
        seconds = count * unit
    }

    private init(seconds: Int) { self.seconds = seconds }

    static let fiveMinutes = Span(seconds: 300)

    var duration: Duration { .seconds(seconds) }

    static var help: String { "a number and a unit, such as 90s, 30m, 2h or 1d" }
}
