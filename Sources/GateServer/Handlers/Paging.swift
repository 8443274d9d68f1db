import GateAPI
import GateHTTP
import GateJSON
import GateModel
import GateService

extension HTTPResponse {
    /// A page of a list: as many items as fit into ``AnswerSize/limit``. The rest is asked for with `next`.
    /// - Parameters:
    ///   - items: made one by one, and no more than are sent.
    ///   - hasMore: whether there are more after these.
    ///   - cursor: the cursor of a page that ends with this item.
    ///   - bytes: the item's document.
    static func page<Item>(
        _ items: some Sequence<Item>,
        hasMore: Bool,
        cursor: (Item) -> String,
        bytes: (Item) -> [UInt8]
    ) -> HTTPResponse {
        var body = Array(#"{"items":["#.utf8)
        var last: Item?
        var isCut = hasMore
        for item in items {
            let bytes = bytes(item)
            if last != nil {
                // 300 bytes are for the end of the document, with a cursor in it.
                guard body.count + bytes.count + 300 <= AnswerSize.limit else {
                    isCut = true
                    break
                }
                body.append(UInt8(ascii: ","))
            }
            body += bytes
            last = item
        }
        let next: JSONValue = isCut ? last.map { .string(cursor($0)) } ?? .null : .null
        body += Array(#"],"next":"#.utf8) + next.bytes + [UInt8(ascii: "}")]
        return HTTPResponse(status: 200, headers: HTTPResponse.json(.null).headers, body: body)
    }
}

extension HTTPResponse {
    /// A page of a list of people or tokens.
    /// - Parameters:
    ///   - items: those of the part, which is one longer than the page.
    ///   - cursor: letters, digits, `-` and `_` only.
    static func part<Item, ID>(
        _ items: [Item],
        of part: ListPart<ID>,
        cursor: (Item) -> String,
        bytes: (Item) -> [UInt8]
    ) -> HTTPResponse {
        .page(items.prefix(part.limit - 1), hasMore: items.count == part.limit, cursor: cursor, bytes: bytes)
    }
}

extension Exchange {
    /// The part of a list that was asked for, and one item more, which tells whether there is another part. No more items are read than fit
    /// into an answer, and the first that does not.
    /// - Parameter id: reads the text of a cursor, which is the last item of the part before; nil for what no cursor spells.
    func part<ID>(_ id: (String) -> ID?) throws(ServiceError) -> ListPart<ID> {
        let limit = try integer("limit", in: 1...500) ?? 500
        return ListPart(after: try cursor(id), limit: limit + 1, bytes: AnswerSize.limit)
    }

    /// Where the page before the wanted one ended; nil for the first page.
    /// - Parameter place: reads the text of a cursor; nil for what no cursor spells.
    func cursor<Place>(_ place: (String) -> Place?) throws(ServiceError) -> Place? {
        guard let text = request.parameter("cursor") else { return nil }
        guard let place = place(text) else {
            throw ServiceError(.malformed, "malformed", "The cursor is not one that this server gave.", field: "cursor")
        }
        return place
    }

    /// The part that was asked for of a list that is sorted by key; the cursor is the key of the last item of the part before, spelled as
    /// one plain word.
    /// - Parameter place: the key that a cursor's text spells, or nil.
    func page<Item, Key: Comparable & CustomStringConvertible>(
        _ items: [Item],
        key: (Item) -> Key,
        place: (String) -> Key?
    ) throws(ServiceError) -> (items: ArraySlice<Item>, hasMore: Bool) {
        let limit = try integer("limit", in: 1...500)
        var rest = items[...]
        // Compared as keys: as texts, shop-a/ios would stand before shop/ios.
        if let last = try cursor({ place(KeyCursor.key($0)) }) { rest = rest.drop { key($0) <= last } }
        guard let limit, rest.count > limit else { return (rest, false) }
        return (rest.prefix(limit), true)
    }
}

/// A place in a list that is sorted by number, the newest first. Opaque to clients, so that its form may change.
enum NumberCursor {
    static func text(_ number: Int) -> String { "s\(number)" }

    static func number(_ text: String) -> Int? { text.first == "s" ? Int(text.dropFirst()) : nil }
}

/// A place in a list that is sorted by key, spelled with letters, digits, - and _ only.
enum KeyCursor {
    /// Keys are lower-case letters, digits, hyphens and a slash; the slash becomes an underscore, which no key holds.
    static func text(_ key: String) -> String { String(key.map { $0 == "/" ? "_" : $0 }) }

    static func key(_ text: String) -> String { String(text.prefix(200).map { $0 == "_" ? "/" : $0 }) }
}
