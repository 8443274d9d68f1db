/// A request method, compared as RFC 9110 section 9.1 wants it: by its exact letters.
package struct HTTPMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package static let get = HTTPMethod(rawValue: "GET")
    package static let head = HTTPMethod(rawValue: "HEAD")
    package static let post = HTTPMethod(rawValue: "POST")
    package static let put = HTTPMethod(rawValue: "PUT")
    package static let patch = HTTPMethod(rawValue: "PATCH")
    package static let delete = HTTPMethod(rawValue: "DELETE")
    package static let options = HTTPMethod(rawValue: "OPTIONS")

    /// The methods a responder can be asked about. Any other is refused at the edge with 405.
    package static let known: [HTTPMethod] = [.get, .head, .post, .put, .patch, .delete, .options]

    package var description: String { rawValue }
}
