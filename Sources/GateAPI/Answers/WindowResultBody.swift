package import GateJSON
package import GateModel

/// The answer to a write of a window: the window as it is now, or, for a dry run, as it would be, with `id` 0 when it does not exist yet.
package struct WindowResultBody: TabledBody {
    package var window: Window
    /// The change that a run made; nil where there was none.
    package var change: Change?
    /// Nil for a cancellation.
    package var plan: Plan?

    package init(window: Window, change: Change? = nil, plan: Plan? = nil) {
        self.window = window
        self.change = change
        self.plan = plan
    }

    package static let table = FieldTable<WindowResultBody>(
        answer: "WindowResult",
        "An answer",
        .needed("window", .body, \.window),
        .optional("change", .body, \.change),
        .optional("plan", .body, \.plan),
        make: WindowResultBody.init
    )
}
