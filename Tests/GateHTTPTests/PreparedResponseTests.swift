import GateHTTP
import Synchronization
import Testing

struct PreparedResponseTests {
    /// Counts how often it was let go of, through what outlives it.
    final class Count: Sendable {
        let value = Mutex(0)
    }

    final class Owner: Sendable {
        let count: Count
        init(_ count: Count) { self.count = count }
        deinit { count.value.withLock { $0 += 1 } }
    }

    @Test
    func theTagIsQuotedAndAmongTheHeaders() {
        let response = PreparedResponse(body: [1], etag: "abc", headers: ["ETag": "\"old\"", "X": "y"])
        #expect(response.etag == "\"abc\"")
        #expect(response.headers.values(of: "etag") == ["\"abc\""])
        #expect(response.headers["x"] == "y")
    }

    /// Headers of ready-made answers are the program's own; one that would become two on the wire is found when it is made.
    @Test
    func aHeaderThatCannotBeSentIsRefusedAtOnce() async {
        await #expect(processExitsWith: .failure) { _ = PreparedResponse(body: [], etag: "t", headers: ["X": "a\rSet-Cookie: b"]) }
        await #expect(processExitsWith: .failure) { _ = PreparedResponse(body: [], etag: "t", headers: ["X: y\r\nZ": "a"]) }
    }

    @Test
    func theAttachmentIsMadeOnceAndFreedWithTheResponse() {
        let first = Count()
        let second = Count()
        var response: PreparedResponse? = PreparedResponse(body: [], etag: "t", headers: [:])
        #expect(response?.attachment.value == 0)
        #expect(response?.attachment.attach { nil } == 0)
        #expect(response?.attachment.attach { (7, Owner(first)) } == 7)
        #expect(response?.attachment.attach { (8, Owner(second)) } == 7)
        #expect(response?.attachment.value == 7)
        #expect(first.value.withLock { $0 } == 0)
        response = nil
        #expect(first.value.withLock { $0 } == 1)
        #expect(second.value.withLock { $0 } == 0, "it was never made")
    }

    @Test
    func aRequestNumberIsSixteenDigits() {
        #expect(RequestIdentifier.text(0) == "0000000000000000")
        #expect(RequestIdentifier.text(0x0123_4567_89ab_cdef) == "0123456789abcdef")
    }
}
