import GateAPI
import GateHTTP
import GateJSON
import GateModel

extension HTTPResponse {
    /// A page of a list: as many items as fit into ``AnswerSize/limit``. The rest is asked for with `next`.
    /// - Parameters:
    ///   - items: made one by one, and no more than are sent.
    ///   - hasMore: whether there are more after these.
    ///   - cursor: the cursor of a page that ends with this item.
    static func page<Item>(
        _ items: some Sequence<Item>,
        hasMore: Bool,
        cursor: (Item) -> String,
        json: (Item) -> JSONValue
    ) -> HTTPResponse {
        var body = Array(#"{"items":["#.utf8)
        var last: Item?
        var isCut = hasMore
        for item in items {
            let bytes = json(item).bytes
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
