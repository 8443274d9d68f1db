import ArgumentParser

/// What `require` and `suggest` have in common.
enum VersionArgument {
    static func validate(_ version: String?, _ message: MessageOption, clear: Bool) throws {
        if clear, version != nil || message.message != nil { throw ValidationError("--clear takes no version and no message.") }
        if !clear, version == nil { throw ValidationError("Name a version, or --clear.") }
    }
}
