/// A document as it is, or should be, in a bucket.
package struct BucketObject: Sendable, Hashable {
    package var body: [UInt8]
    package var contentType: String
    package var cacheControl: String

    package init(body: [UInt8], contentType: String, cacheControl: String) {
        (self.body, self.contentType, self.cacheControl) = (body, contentType, cacheControl)
    }
}

/// A document that was found there.
struct FoundObject: Sendable {
    let object: BucketObject
    /// The last change it included when it was published; nil where that was not noted.
    let sequence: Int?
}
