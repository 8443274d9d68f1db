import GateFeeds
import GateJSON
import ObjectStore

/// Rendered feeds, put into an object store in place of a server that is down.
struct ObjectPublication {
    let address: BucketAddress
    private let publisher: BucketPublisher

    /// How long a failing store is tried again, from the last round in which nothing failed: thousands of feeds take longer than that.
    private static let patience = Duration.seconds(30)

    /// - Throws: input refused (8) for an invalid address; not allowed (4) without credentials.
    init(_ text: String, endpoint: String?, goesOverNewer: Bool) throws(Failure) {
        let environment = ProcessEnvironment.variables
        do throws(ObjectStoreError) {
            address = try BucketAddress(text, endpoint: endpoint, region: ObjectStoreCredentials.region(environment: environment))
            let begun = ContinuousClock.now
            publisher = BucketPublisher(try Bucket(address, environment: environment), goesOverNewer: goesOverNewer) {
                ContinuousClock.now - begun
            }
        } catch { throw Failure(error) }
    }

    /// Returns when all of them are in the store.
    /// - Parameter sequence: the change that they belong to.
    /// - Throws: changed meanwhile (5) if newer feeds are there, no answer (7) if the store does not take them.
    func publish(_ documents: [(path: String, bytes: [UInt8])], upTo sequence: Int?) async throws {
        guard let sequence, sequence > 0 else {
            throw Failure(
                .refused,
                "malformed",
                "the file has no sequence, so nobody can say whether newer feeds are there; use one from gatectl export --with-revisions"
            )
        }
        let objects = documents.map {
            ($0.path, BucketObject(body: $0.bytes, contentType: FeedHeaders.contentType, cacheControl: FeedHeaders.cacheControl))
        }
        publisher.publish([(name: "export", documents: Dictionary(objects) { $1 })], of: nil, upTo: sequence, isWhole: false)
        var end = ContinuousClock.now + Self.patience
        while true {
            if publisher.keep() {
                end = .now + Self.patience
                continue
            }
            if publisher.isPublished { return }
            if let fault = publisher.figures.fault {
                guard fault.mayPass, ContinuousClock.now < end else { throw Failure(fault) }
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}

extension Failure {
    fileprivate init(_ error: ObjectStoreError) {
        let exit: Exit =
            switch error.code {
            case .address: .refused
            case .credentials: .notAllowed
            case .refused where [401, 403].contains(error.status): .notAllowed
            case .refused where error.status == 404: .notFound
            case .refused, .unreachable: .noAnswer
            case .foreign, .newer: .changedMeanwhile
            }
        var sentence = error.detail
        if sentence.hasSuffix(".") { sentence.removeLast() }
        self.init(exit, error.code == .newer ? "stale_sequence" : "object_store", sentence)
        if error.code == .newer { next = [("or", "--accept stale_sequence, to overwrite them all the same")] }
    }
}
