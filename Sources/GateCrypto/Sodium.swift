import CSodium

/// The one place that starts libsodium.
enum Sodium {
    /// Touched before the first call into the library; Swift runs it once, whichever thread comes first.
    ///
    /// `sodium_init()` fails only when the machine has no source of randomness, and then no secret made here would be secret.
    static let ready: Void = {
        precondition(sodium_init() >= 0, "libsodium could not start: the machine has no source of randomness.")
    }()
}
