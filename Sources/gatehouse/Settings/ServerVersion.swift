/// The version of this build.
enum ServerVersion {
    static let text = "0.1.0"
}
