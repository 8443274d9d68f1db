package import GateAPI
package import GateModel

/// Windows. All throw ``AdminClientError``.
extension AdminClient {
    /// The windows of one app or of all, in these states (empty for any), newest first.
    package func windows(app: String? = nil, states: [Window.State] = []) async throws(AdminClientError) -> [Window] {
        var items: [Window] = []
        var cursor: String?
        let state = states.isEmpty ? nil : states.map(\.rawValue).joined(separator: ",")
        repeat {
            let query: [(name: String, value: String?)] = [("app", app), ("state", state), ("limit", "500"), ("cursor", cursor)]
            let page = try await call(.listWindows, query: query, as: PageBody<Window>.self)
            items += page.items
            cursor = page.next
        } while cursor != nil
        return items
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
