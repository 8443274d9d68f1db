import GateHTTP
import MicroHTTP
import ObjectStore
import Testing

/// Which refusals of a store are worth another try soon.
@Suite(.timeLimit(.minutes(1)))
struct PassingFaultTests {
    @Test(arguments: [
        (500, nil, true), (503, "SlowDown", true), (429, "TooManyRequests", true), (409, "OperationAborted", true), (408, nil, true),
        (400, "RequestTimeout", true),
        (400, "InvalidArgument", false), (403, "AccessDenied", false), (403, "RequestTimeTooSkewed", false), (404, "NoSuchBucket", false),
        (301, "PermanentRedirect", false),
    ])
    func aStatusSaysWhetherItPasses(status: Int, word: String?, mayPass: Bool) throws {
        let store = RefusingStore(status, word)
        let server = try HTTPServer(configuration: HTTPServer.Configuration(), responder: store) { _, _ in }
        let publisher = try publisher(to: server)
        publisher.keep()
        server.stop(grace: .zero)
        let fault = try #require(publisher.figures.fault)
        #expect(fault.status == status)
        #expect(fault.mayPass == mayPass)
    }

    @Test func aStoreThatDoesNotAnswerMayComeBack() throws {
        let server = try HTTPServer(configuration: HTTPServer.Configuration(), responder: RefusingStore(500, nil)) { _, _ in }
        let publisher = try publisher(to: server)
        server.stop(grace: .zero)
        publisher.keep()
        #expect(publisher.figures.fault?.mayPass == true)
    }

    /// With one document to write.
    private func publisher(to server: HTTPServer) throws -> BucketPublisher {
        let bucket = try Bucket(
            BucketAddress("s3://feeds/one", endpoint: "http://127.0.0.1:\(server.port)", region: "us-east-1"),
            environment: ["AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret"]
        )
        let publisher = BucketPublisher(bucket) { .zero }
        let document = BucketObject(body: [], contentType: FeedLike.contentType, cacheControl: FeedLike.cacheControl)
        publisher.publish([(name: "shop", documents: ["/a.json": document])], of: "h1", upTo: 1)
        return publisher
    }
}

/// Answers everything alike.
private struct RefusingStore: HTTPResponder {
    private let refusal: HTTPResponse

    init(_ status: Int, _ word: String?) {
        refusal = HTTPResponse(status: status, body: Array((word.map { "<Error><Code>\($0)</Code></Error>" } ?? "").utf8))
    }

    func admission(of head: HTTPRequest, hasBody: Bool) -> Admission { Admission(pattern: "object", .admitted { _ in refusal }) }

    func response(to refusal: EdgeRefusal, of target: String, id: String) -> HTTPResponse { HTTPResponse(status: 400) }

    func finished(_ exchange: FinishedExchange) {}
}
