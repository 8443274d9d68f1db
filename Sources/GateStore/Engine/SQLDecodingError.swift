/// A value is not of the kind that it was read as, or is not there. Says no more: what stands in the row may be secret.
struct SQLDecodingError: Error, Sendable, Hashable {}
