package import GateAPI
package import GateModel

/// Windows. All throw ``AdminClientError``.
extension AdminClient {
    /// The windows of one app or of all, in these states (empty for any), newest first.
    package func windows(app: String? = nil, states: [Window.State] = []) async throws(AdminClientError) -> [Window] {
        let state = states.isEmpty ? nil : states.map(\.rawValue).joined(separator: ",")
        return try await all(.listWindows, [("app", app), ("state", state), ("limit", "500")])
    }

    package func window(_ id: Int) async throws(AdminClientError) -> Window { try await call(.window, [String(id)], as: Window.self) }

    /// Plans or makes a window, as the body's `dryRun` says.
    package func createWindow(_ body: WindowRequest) async throws(AdminClientError) -> WindowResultBody {
        try await call(.createWindow, body: body, as: WindowResultBody.self)
    }

    /// Plans or makes a window that replaces another one, as the body's `dryRun` says.
    package func replaceWindow(_ id: Int, _ body: WindowReplaceRequest) async throws(AdminClientError) -> WindowResultBody {
        try await call(.replaceWindow, [String(id)], body: body, as: WindowResultBody.self)
    }

    package func cancelWindow(_ id: Int, _ body: WindowCancelRequest) async throws(AdminClientError) -> WindowResultBody {
        try await call(.cancelWindow, [String(id)], body: body, as: WindowResultBody.self)
    }

    /// Plans or carries out a window's next step, as the body's `dryRun` says.
    package func runWindow(_ id: Int, _ body: WindowRunRequest) async throws(AdminClientError) -> WindowResultBody {
        try await call(.runWindow, [String(id)], body: body, as: WindowResultBody.self)
    }
}
