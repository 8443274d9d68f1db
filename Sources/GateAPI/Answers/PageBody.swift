package import GateJSON
import GateModel

/// One page of a list.
package struct PageBody<Item: APIBody>: APIBody {
    package var items: [Item]
    /// Asks for the next page, `[A-Za-z0-9_-]+`; nil on the last one.
    package var next: String?

    package init(items: [Item], next: String? = nil) {
        self.items = items
        self.next = next
    }

    package init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "A list")
        items = try reader.list("items", Item.init(json:))
        next = try reader.optionalString("next")
    }

    package var json: JSONValue { ["items": .array(items.map(\.json)), "next": next.map(JSONValue.string) ?? .null] }
}
