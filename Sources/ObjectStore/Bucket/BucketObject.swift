/// A document as it lies, or is to lie, in a bucket.
package struct BucketObject: Sendable, Hashable {
    package var body: [UInt8]
    package var contentType: String
    package var cacheControl: String

    package init(body: [UInt8], contentType: String, cacheControl: String) {
        (self.body, self.contentType, self.cacheControl) = (body, contentType, cacheControl)
    }
}

/// One that was found there.
struct FoundObject: Sendable {
    let object: BucketObject
    /// The last change when it was published; nil where whoever put it there did not say.
    let sequence: Int?
}
