package import GateJSON
package import GateModel

extension Window: APIBody {}

/// The answer to a write of a window: the window as it is now, or, for a dry run, as it would be, with `id` 0 when it is not there yet.
package struct WindowResultBody: APIBody {
    package var window: Window
    /// The change that a run made; nil where none was.
    package var change: Change?
    /// Nil for a cancellation.
    package var plan: Plan?

    package init(window: Window, change: Change? = nil, plan: Plan? = nil) {
        self.window = window
        self.change = change
        self.plan = plan
    }

    package init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "An answer")
        window = try reader.document("window", Window.init(json:))
        change = try reader.optionalDocument("change", Change.init(json:))
        plan = try reader.optionalDocument("plan", Plan.init(json:))
    }

    package var json: JSONValue {
        var object: JSONObject = ["window": window.json]
        if let change { object["change"] = change.json }
        if let plan { object["plan"] = plan.json }
        return .object(object)
    }
}
