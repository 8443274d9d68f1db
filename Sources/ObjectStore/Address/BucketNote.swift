/// What publishers write down for one another: beside the prefix, `production.gatehouse/`. A document's path begins with a slash, so none is there.
enum BucketNote {
    static let suffix = ".gatehouse"

    /// What is put behind the prefix.
    static func path(_ file: String) -> String { "\(suffix)/\(file)" }
}
