import CMicroHTTPD
import GateHTTP
import Glibc
import Synchronization

/// One request on its way through libmicrohttpd's access handler, which runs several times for it: at the end of the header, for
/// each piece of the body, and at the end. A view made for one call.
///
/// No answer is queued in the first of these calls except to refuse: libmicrohttpd takes an answer queued there as a refusal to read
/// further, sends `Connection: close` and closes, so answering there would cost every poll a new connection.
struct Exchange {
    let core: ServerCore
    let connection: OpaquePointer
    let state: ConnectionPointer
    /// Without the query; raw.
    let target: UnsafePointer<CChar>

    // MARK: The first call

    /// The header is complete: check it, and decide what becomes of the body.
    func begin(method: UnsafePointer<CChar>, version: UnsafePointer<CChar>) -> MHD_Result {
        let now = MonotonicClock.nanoseconds()
        state.pointee.beganAt = now
        if core.readsInPlace, state.pointee.targetLength > state.pointee.pathLength {
            UnsafeMutablePointer(mutating: target)[state.pointee.pathLength + 1] = state.pointee.hiddenByte
        }
        state.pointee.method = Self.method(method)
        // "HTTP/1.1": libmicrohttpd has answered every other form and version but 1.0 and 1.2 to 1.9.
        let isVersion11 = strlen(version) == 8 && version[7] != CChar(bitPattern: UInt8(ascii: "0"))
        state.pointee.head = RequestHead(isVersion11: isVersion11)
        state.pointee.head.read(connection, requestLine: method, version: version, checksPlaces: core.readsInPlace)
        if let refusal = state.pointee.head.refusal ?? checkTarget(version: version) {
            return answer(refusal)
        }
        let memory = headerMemory
        if memory > core.requestHeaderBytes { return answerTooLarge(memory) }
        state.pointee.step = .collecting
        if state.pointee.head.hasBody {
            state.pointee.watch.enter(.body, at: now)
            return beginBody()
        }
        return .YES
    }

    /// Bytes of the connection's memory that the header takes up: its text, and a record of 64 bytes for each field and for what
    /// libmicrohttpd finds in some of them (0.9.75; other versions are close to it).
    @inline(__always)
    private var headerMemory: Int {
        let hasOnlyFields = core.readsInPlace && !state.pointee.head.hasCookies
        return state.pointee.head.size + 64 * (hasOnlyFields ? state.pointee.head.fieldCount : gatehouse_record_count(connection))
    }

    /// The checks of the request line and the host that every request must pass.
    @inline(__always)
    private func checkTarget(version: UnsafePointer<CChar>) -> EdgeRefusal? {
        if state.pointee.method == nil { return .unknownMethod }
        if core.readsInPlace {
            // The target extends to the space before the version, unless a NUL cut it off.
            if version - target != state.pointee.targetLength + 1 { return .badTarget }
        } else {
            state.pointee.pathLength = strlen(target)
        }
        if target.pointee != CChar(bitPattern: UInt8(ascii: "/")), let refusal = checkUnusualTarget() { return refusal }
        if let acceptsHost = core.acceptsHost, let host = state.pointee.head.host,
            !acceptsHost(String(decoding: host, as: UTF8.self), String(cString: target))
        {
            return .foreignHost
        }
        return nil
    }

    /// `*` is for OPTIONS. `http://host/path` must be accepted from anybody (RFC 9112 section 3.2.2), but not for a host other than `Host`.
    private func checkUnusualTarget() -> EdgeRefusal? {
        let path = UnsafeRawBufferPointer(start: target, count: state.pointee.pathLength)
        if path.elementsEqual("*".utf8) { return state.pointee.method == .options ? nil : .badTarget }
        let schemes: [StaticString] = ["http://", "https://"]
        guard let scheme = schemes.first(where: { path.count > $0.utf8CodeUnitCount && FieldName.matches(path.baseAddress!, $0) }) else {
            return .badTarget
        }
        let rest = path[scheme.utf8CodeUnitCount...]
        let slash = rest.firstIndex(of: UInt8(ascii: "/"))
        let authority = rest[..<(slash ?? rest.endIndex)]
        let host = state.pointee.head.host
        guard let host, host.count == authority.count, zip(host, authority).allSatisfy({ $0 | 0x20 == $1 | 0x20 }) else {
            return .foreignTarget
        }
        state.pointee.pathOffset = slash ?? path.count
        return nil
    }

    private func beginBody() -> MHD_Result {
        let request: HTTPRequest
        do {
            request = try RequestReader(self).request()
        } catch {
            return answer(error)
        }
        let admission = core.responder.admission(of: request, hasBody: true)
        let limit = admission.maximumBodyBytes ?? core.maximumBodyBytes
        // Where no body is accepted, none is waited for.
        if limit == 0 { return answer(.bodyTooLarge(limit: 0)) }
        state.pointee.maximumBodyBytes = limit
        // Chunks say how long they are only when they arrive.
        let declared = state.pointee.head.contentLength
        if let refusal = admission.refusal {
            // A full listener waits for nobody who is refused anyway: their body would keep a place for as long as they like. Whoever was
            // still sending may find the connection reset in place of the answer.
            if refusal.closesConnection || state.pointee.head.expectsContinue || declared > limit * 4 || core.sweeper.isFull {
                return answer(refusal, to: request)
            }
            return discard(.response(refusal))
        }
        if declared > limit {
            // A client that sends without waiting would find its connection reset before it reads the answer,
            // so a body that is only somewhat too large is read and thrown away.
            if state.pointee.head.expectsContinue || declared > limit * 4 { return answer(.bodyTooLarge(limit: limit)) }
            return discard(.edge(.bodyTooLarge(limit: limit)))
        }
        state.pointee.admitted = (request, admission)
        state.pointee.body.reserveCapacity(declared)
        return .YES
    }

    private func discard(_ refusal: ConnectionState.PendingRefusal) -> MHD_Result {
        state.pointee.step = .discarding
        state.pointee.refusal = refusal
        return .YES
    }

    // MARK: The calls with pieces of the body

    /// Takes the whole piece; no answer can be queued here.
    /// - Returns: NO, which breaks the connection, only for a body over four times the limit: its end is not worth waiting for.
    func take(_ piece: UnsafeRawBufferPointer) -> MHD_Result {
        state.pointee.bodyBytes += piece.count
        let limit = state.pointee.maximumBodyBytes
        if state.pointee.bodyBytes > limit {
            if state.pointee.bodyBytes > limit * 4 { return .NO }
            state.pointee.body = []
            if state.pointee.step == .collecting { return discard(.edge(.bodyTooLarge(limit: limit))) }
        }
        if state.pointee.step == .collecting { state.pointee.body.append(contentsOf: piece) }
        return .YES
    }

    // MARK: The last call

    /// The request is complete: answer it.
    @inline(__always)
    func finish() -> MHD_Result {
        if state.pointee.step == .collecting, !state.pointee.head.hasBody, state.pointee.pathOffset == 0,
            state.pointee.method == .get || state.pointee.method == .head,
            let prepared = core.responder.prepared(path: UnsafeRawBufferPointer(start: target, count: state.pointee.pathLength))
        {
            if let chosen = state.pointee.targetLength <= state.pointee.pathLength + 1 ? prepared : variant(of: prepared),
                let answered = answer(chosen)
            {
                return answered
            }
            // Asked last: an address with a choice of answers has no C form, and all others pay nothing for this.
            if let answered = answerByChoice(prepared) { return answered }
        }
        return finishOther()
    }

    /// Answers with what is chosen for this request; nil where nothing is chosen, or where the connection is to end.
    private func answerByChoice(_ prepared: PreparedResponse) -> MHD_Result? {
        guard let choice = prepared.choice, core.readsInPlace, !closesSoon else { return nil }
        let reader = RequestReader(self)
        guard reader.isQueryReadable else { return nil }
        let isPoll = core.countsPolls && state.pointee.method == .get
        return choice.response(to: reader.queryBytes, from: { reader.sender() }, isPoll: isPoll).flatMap(answer)
    }

    /// The address's answer to the query of this request; nil where it has no such answers, where the query is not in one piece in memory,
    /// or where ``RequestReader`` refuses the query.
    private func variant(of prepared: PreparedResponse) -> PreparedResponse? {
        let reader = RequestReader(self)
        guard let variants = prepared.variants, core.readsInPlace, reader.isQueryReadable else { return nil }
        return variants.response(to: reader.queryBytes, isPoll: core.countsPolls && state.pointee.method == .get) ?? prepared
    }

    private func finishOther() -> MHD_Result {
        // A caller who cannot be answered must not have anything done: they would take it for undone.
        if state.pointee.watch.isCut.load(ordering: .relaxed) { return .NO }
        let body = state.pointee.body
        state.pointee.body = []
        // From here on it is this side that may be late.
        state.pointee.watch.enter(.response, at: MonotonicClock.nanoseconds())
        switch state.pointee.refusal {
        case .edge(let refusal): return answer(refusal)
        case .response(let response): return answer(response, to: nil)
        case nil: break
        }
        do {
            if let (head, admission) = state.pointee.admitted {
                let request = head.with(body: body)
                return answer(admission.response(to: request), to: request)
            }
            let request = try RequestReader(self).request()
            return answer(core.responder.admission(of: request, hasBody: false).response(to: request), to: request)
        } catch {
            return answer(error)
        }
    }

    // MARK: Answers

    /// Answers GET or HEAD with a ready-made response.
    /// - Returns: nil when the answer has to be made for this request: the connection is to end, or the response has no C form.
    @inline(__always)
    private func answer(_ prepared: PreparedResponse) -> MHD_Result? {
        guard !closesSoon, let response = prepared.cResponse(maximumHeaderBytes: core.responseHeaderBytes) else { return nil }
        let isUnchanged = isKnown(prepared)
        state.pointee.isPrepared = true
        if state.pointee.method == .get { count(prepared, isUnchanged: isUnchanged) }
        return queue(response, status: isUnchanged ? 304 : 200, bodyCount: prepared.body.count)
    }

    /// Counts a poll by what its caller had before. HEAD fetches nothing, so it is not counted.
    @inline(__always)
    private func count(_ prepared: PreparedResponse, isUnchanged: Bool) {
        guard core.countsPolls else { return }
        if isUnchanged {
            prepared.polls.countConfirmed()
        } else if state.pointee.head.ifNoneMatch != nil {
            prepared.polls.countReplaced()
        } else {
            prepared.polls.countFetched()
        }
    }

    private func answer(_ response: HTTPResponse, to request: HTTPRequest?) -> MHD_Result {
        var status = response.status
        if status == 200, let request, request.method == .get || request.method == .head, let etag = response.headers["ETag"],
            ConditionalRequest.matches(ifNoneMatch: request.headers.values(of: "If-None-Match"), etag: etag)
        {
            status = 304
        }
        if let prepared = response.prepared, request?.method == .get { count(prepared, isUnchanged: status == 304) }
        let closes = response.closesConnection || closesSoon
        if !closes, let shared = response.prepared?.cResponse(maximumHeaderBytes: core.responseHeaderBytes) {
            return queue(shared, status: status, bodyCount: response.body.count)
        }
        do {
            let made = try response.makeCResponse(closes: closes, maximumHeaderBytes: core.responseHeaderBytes)
            // A 304 is queued with the body of the 200: libmicrohttpd sends that one's length and no body (RFC 9110 section 8.6).
            return queue(made.pointer, status: status, bodyCount: response.body.count)
        } catch {
            core.log("unsendable", "request \(id): \(error.reason); answered 500")
            return answer(.unsendable)
        }
    }

    private func answer(_ refusal: EdgeRefusal) -> MHD_Result {
        // Where memory is what is lacking, the answer is the shortest possible.
        var response =
            refusal == .headerTooLarge
            ? HTTPResponse(status: refusal.status) : core.responder.response(to: refusal, of: String(cString: target), id: id)
        response.status = refusal.status
        let closes = refusal.closesConnection || response.closesConnection || closesSoon
        do {
            let made = try response.makeCResponse(closes: closes, maximumHeaderBytes: core.responseHeaderBytes)
            return queue(made.pointer, status: refusal.status, bodyCount: response.body.count)
        } catch {
            core.log("unsendable refusal", "request \(id): the refusal's answer: \(error.reason)")
        }
        do {
            let made = try EdgeRefusal.unsendable.plainText.makeCResponse(closes: true, maximumHeaderBytes: .max)
            return queue(made.pointer, status: 500, bodyCount: 0)
        } catch {
            // Happens only when there is no memory for a hundred bytes; nothing is left to answer with.
            return .NO
        }
    }

    /// Answers 431. Where the header has left libmicrohttpd no room for even the shortest answer, it would silently drop the connection, so
    /// the answer is written here: everything before it on the connection has been sent, and the connection ends.
    private func answerTooLarge(_ memory: Int) -> MHD_Result {
        guard memory > core.connectionMemoryBytes - 256, !core.isEncrypted else { return answer(.headerTooLarge) }
        _ = core.responder.response(to: .headerTooLarge, of: String(cString: target), id: id)
        state.pointee.step = .answered
        state.pointee.status = 431
        let text = "HTTP/1.1 431 Request Header Fields Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        // A caller who does not take a hundred bytes at once gets no answer.
        _ = send(gatehouse_descriptor(connection), text, text.utf8.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        return .NO
    }

    @inline(__always)
    private func queue(_ response: OpaquePointer, status: Int, bodyCount: Int) -> MHD_Result {
        state.pointee.step = .answered
        state.pointee.status = status
        state.pointee.responseBytes = status == 304 || status == 204 || state.pointee.method == .head ? 0 : bodyCount
        if !state.pointee.head.hasBody { state.pointee.watch.enter(.response, at: state.pointee.beganAt) }
        return MHD_queue_response(connection, UInt32(truncatingIfNeeded: status), response)
    }

    /// Whether the caller has these bytes already.
    @inline(__always)
    private func isKnown(_ prepared: PreparedResponse) -> Bool {
        guard let field = state.pointee.head.ifNoneMatch else { return false }
        if state.pointee.head.hasSeveralIfNoneMatch {
            let lines = RequestReader(self).headers().values(of: "If-None-Match")
            return ConditionalRequest.matches(ifNoneMatch: lines, etag: prepared.etag)
        }
        return prepared.etagBytes.withUnsafeBytes { etag in
            field.count == etag.count && memcmp(field.baseAddress!, etag.baseAddress!, etag.count) == 0
                || ConditionalRequest.matches(ifNoneMatch: field, etag: etag)
        }
    }

    /// True when this must be the connection's last answer: the server is stopping, the connection is old, or the request came in chunks. A
    /// program in front may see their end elsewhere than libmicrohttpd 0.9.75 does (MicroHTTP.md, "Refused at the edge").
    private var closesSoon: Bool {
        state.pointee.head.isChunked || core.isDraining.load(ordering: .relaxed) || state.pointee.watch.isRetiring.load(ordering: .relaxed)
    }

    var id: String {
        RequestIdentifier.text(state.pointee.requestNumber(seed: core.requestNumberSeed))
    }

    private static func method(_ text: UnsafePointer<CChar>) -> HTTPMethod? {
        if strcmp(text, "GET") == 0 { return .get }
        return HTTPMethod.known.first { strcmp(text, $0.rawValue) == 0 }
    }
}
