extension Duration {
    /// Whole milliseconds, rounded down.
    package var milliseconds: Int { Int(components.seconds) * 1_000 + Int(components.attoseconds / 1_000_000_000_000_000) }

    /// `10 s`, `500 ms`
    package var inWords: String { components.attoseconds == 0 ? "\(components.seconds) s" : "\(milliseconds) ms" }
}
