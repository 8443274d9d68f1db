package import GateJSON
import GateModel

/// One page of a list.
package struct PageBody<Item: APIBody>: TabledBody {
    package var items: [Item]
    /// Asks for the next page, `[A-Za-z0-9_-]+`; nil on the last one.
    package var next: String?

    package init(items: [Item], next: String? = nil) {
        self.items = items
        self.next = next
    }

    package static var table: FieldTable<PageBody> {
        FieldTable<PageBody>(
            answer: (Item.schema.name ?? "Item") + "Page",
            "A list",
            // Functions, because the key path of a generic structure is put together at run time, which takes longer than reading a short
            // page.
            .needed("items", .list(of: .body), { @Sendable page in page.items }),
            .nullable("next", .string(1...200, pattern: Self.cursorPattern), { @Sendable page in page.next }),
            make: PageBody.init
        )
    }

    /// What a cursor looks like, as an ECMA 262 expression.
    package static var cursorPattern: String { "^[A-Za-z0-9_-]+$" }
}
