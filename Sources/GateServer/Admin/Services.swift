package import GateService

/// What the handlers call.
package struct Services: Sendable {
    package let changes: ChangeService
    package let access: AccessService
    /// The server's version, for `/status`.
    package let version: String
    /// Whether the dashboard is reached by https, as far as the server was told: decides the cookie's name and `Secure`.
    package let isSecure: Bool

    package init(changes: ChangeService, access: AccessService, version: String, isSecure: Bool) {
        self.changes = changes
        self.access = access
        self.version = version
        self.isSecure = isSecure
    }
}
