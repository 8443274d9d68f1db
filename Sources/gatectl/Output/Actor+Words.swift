import GateModel

extension Actor {
    /// `ann`, or `ann (laptop)` when ann's token called laptop did it; fit for a terminal.
    var said: String { Style.safe(inWords) }

    /// With the source of the change: `ann (dashboard)`, `ann (laptop, gatectl)`.
    func saidBy(_ source: Change.Source) -> String {
        Style.safe(user.map { "\($0) (\(name), \(source.rawValue))" } ?? "\(name) (\(source.rawValue))")
    }
}
