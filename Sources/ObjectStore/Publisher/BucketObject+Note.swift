import GateJSON

extension BucketObject {
    /// An object for publishers, not for phones.
    static func note(_ json: JSONValue) -> BucketObject {
        BucketObject(body: json.bytes, contentType: "application/json; charset=utf-8", cacheControl: "no-store")
    }
}
