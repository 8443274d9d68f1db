extension JSONValue {
    /// A text from outside as it stands in a sentence: in quotes, its control characters escaped, and only as much of it as one looks at.
    /// - Parameter most: Unicode scalars.
    public static func quoted(_ text: some StringProtocol, most: Int = 80) -> String { string(text.beginning(most)).text }
}

extension StringProtocol {
    /// At most that many of its Unicode scalars. Not of its characters: one of these can have hundreds of combining marks.
    public func beginning(_ scalars: Int) -> String { String(String.UnicodeScalarView(unicodeScalars.prefix(scalars))) }
}
