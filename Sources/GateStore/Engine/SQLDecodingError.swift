/// A value is missing, or of another kind than it was read as. It says no more than that: the row may hold secrets.
struct SQLDecodingError: Error, Sendable, Hashable {}
