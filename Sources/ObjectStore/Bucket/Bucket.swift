import CurlHTTP

/// A bucket of an S3-compatible store: reads, writes and removes its objects.
///
/// Thread rule: any thread, any number at once; each call blocks its thread.
package final class Bucket: Sendable {
    package let address: BucketAddress
    private let transport: HTTPTransport
    private let environment: [String: String]

    /// The time limit of one request: a store that takes longer has failed, and is asked again.
    static let patience = Duration.seconds(5)

    /// The object's metadata field that notes the last change a document includes.
    private static let sequenceField = "x-amz-meta-gatehouse-sequence"

    /// - Parameter environment: holds the credentials or the name of their file; see ``ObjectStoreCredentials``.
    /// - Throws: ``ObjectStoreError/Code/credentials`` where there are none.
    package init(_ address: BucketAddress, environment: [String: String]) throws(ObjectStoreError) {
        _ = try ObjectStoreCredentials(environment: environment)
        self.address = address
        self.environment = environment
        transport = HTTPTransport(caFile: environment["SSL_CERT_FILE"])
    }

    /// The object at `path`; nil where there is none.
    func object(at path: String) throws(ObjectStoreError) -> FoundObject? {
        let answer = try ask("GET", path, [], nil)
        if answer.status == 404, Self.word(in: answer.body) != "NoSuchBucket" { return nil }
        try check(answer, "GET", path)
        return FoundObject(
            object: BucketObject(
                body: answer.body,
                contentType: answer.header("content-type") ?? "",
                cacheControl: answer.header("cache-control") ?? ""
            ),
            sequence: answer.header(Self.sequenceField).flatMap { Int($0) }
        )
    }

    /// - Parameter sequence: the last change that the document includes.
    func put(_ object: BucketObject, at path: String, sequence: Int) throws(ObjectStoreError) {
        let headers = [
            ("Content-Type", object.contentType), ("Cache-Control", object.cacheControl), (Self.sequenceField, String(sequence)),
        ]
        try check(ask("PUT", path, headers, object.body), "PUT", path)
    }

    /// An object that is not there counts as removed.
    func remove(_ path: String) throws(ObjectStoreError) {
        let answer = try ask("DELETE", path, [], nil)
        if answer.status == 404, Self.word(in: answer.body) != "NoSuchBucket" { return }
        try check(answer, "DELETE", path)
    }

    private func ask(
        _ method: String,
        _ path: String,
        _ headers: [(String, String)],
        _ body: [UInt8]?
    ) throws(ObjectStoreError) -> HTTPTransport.Answer {
        let credentials = try ObjectStoreCredentials(environment: environment)
        var headers = headers.map { (name: $0.0, value: $0.1) }
        // Stores require it in every request. The body itself is not signed: TLS protects body and head together, as in Amazon's own tools.
        headers.append(("x-amz-content-sha256", "UNSIGNED-PAYLOAD"))
        if let token = credentials.sessionToken { headers.append(("x-amz-security-token", token)) }
        let request = HTTPTransport.Request(
            method: method,
            url: address.url(of: path),
            headers: headers,
            body: body,
            isAlone: false,
            signer: credentials.signer(region: address.region)
        )
        do throws(TransportError) { return try transport.performAndWait(request, within: Self.patience) } catch {
            throw ObjectStoreError(
                .unreachable,
                "\(address.endpoint): \(error.detail)",
                mayPass: true,
                mayHaveArrived: method != "GET" && error.mayHaveArrived
            )
        }
    }

    private func check(_ answer: HTTPTransport.Answer, _ method: String, _ path: String) throws(ObjectStoreError) {
        guard !(200..<300).contains(answer.status) else { return }
        let word = Self.word(in: answer.body)
        throw ObjectStoreError(
            .refused,
            "\(address)\(path): \(answer.status)\(word.map { " \($0)" } ?? "")",
            status: answer.status,
            // Amazon answers 400 where it waited too long for the body; others 408. 409 is another write to the same object, 429 too many
            // requests.
            mayPass: answer.status >= 500 || [408, 409, 429].contains(answer.status) || word == "RequestTimeout",
            // A gateway gave up waiting, or the store failed in the middle.
            mayHaveArrived: method != "GET" && answer.status >= 500
        )
    }

    /// The store's own code for what went wrong, such as `SlowDown`; nil where it gives none.
    private static func word(in body: [UInt8]) -> String? {
        let text = String(decoding: body.prefix(4_096), as: UTF8.self)
        guard let match = text.firstMatch(of: /<Code>([A-Za-z0-9.]{1,64})<\/Code>/) else { return nil }
        return String(match.1)
    }
}
