/// Notes that publishers leave for one another, beside the prefix: `production.gatehouse/`. No document can be there, as its path begins
/// with a slash.
enum BucketNote {
    static let suffix = ".gatehouse"

    /// What is appended to the prefix.
    static func path(_ file: String) -> String { "\(suffix)/\(file)" }
}
