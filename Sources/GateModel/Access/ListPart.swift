/// Which part of a list of people or tokens is wanted.
public struct ListPart<ID: Sendable & Hashable>: Sendable, Hashable {
    /// The last item of the part before; nil for the first part.
    public var after: ID?
    /// The most items to return.
    public var limit: Int
    /// Items are returned until the apps that they name have more UTF-8 bytes than this: somebody's apps can be a hundred kilobytes.
    public var bytes: Int

    public init(after: ID? = nil, limit: Int = .max, bytes: Int = .max) {
        self.after = after
        self.limit = limit
        self.bytes = bytes
    }
}
