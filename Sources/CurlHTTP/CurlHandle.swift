import CCurl

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// One libcurl easy handle, with the connections that it keeps: the only place that stores libcurl's pointers.
///
/// Thread rule: one thread at a time, whichever that is ("You must never share the same handle in multiple threads. You can pass the
/// handles around among threads, but you must never use a single handle from more than one thread at any given time", libcurl-thread(3)).
/// ``HTTPTransport`` lends it to one exchange at a time.
final class CurlHandle: @unchecked Sendable {
    // Unchecked: HTTPTransport's lock passes the handle from thread to thread, and only one of them has it at a time.
    private let handle: UnsafeMutableRawPointer
    /// libcurl's words about the last failure.
    private let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    /// Once per process, before the first handle: curl_easy_init would do it by itself too, but not in a thread-safe way.
    private static let library: Void = {
        precondition(curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK, "libcurl can be used")
    }()

    init() {
        _ = Self.library
        guard let handle = curl_easy_init() else { preconditionFailure("libcurl has memory for a handle") }
        self.handle = handle
    }

    deinit {
        curl_easy_cleanup(handle)
        words.deallocate()
    }

    /// One exchange, from the look-up of the name to the last byte of the answer. Blocks the thread.
    /// - Parameters:
    ///   - timeout: for all of it.
    ///   - caFile: a PEM file with the authorities to trust in place of the system's; nil for those.
    ///   - maximumAnswerBytes: a longer body ends the exchange.
    func perform(_ request: HTTPTransport.Request, within timeout: Duration, caFile: String?, maximumAnswerBytes: Int) -> Result<
        HTTPTransport.Answer, TransportError
    > {
        // Of the previous exchange only connections, looked-up names and TLS sessions are kept.
        curl_easy_reset(handle)
        words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        set(CURLOPT_ERRORBUFFER, UnsafeRawPointer(words))
        set(CURLOPT_URL, request.url)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        // Sends the path as it was encoded; libcurl would resolve `.` and `..` in it.
        set(CURLOPT_PATH_AS_IS, 1)
        set(CURLOPT_TIMEOUT_MS, max(1, timeout.milliseconds))
        // No signals for timeouts, because there are threads; SIGPIPE is dealt with in run().
        set(CURLOPT_NOSIGNAL, 1)
        if request.isAlone {
            set(CURLOPT_FRESH_CONNECT, 1)
            set(CURLOPT_FORBID_REUSE, 1)
        }
        if let caFile {
            set(CURLOPT_CAINFO, caFile)
            set(CURLOPT_CAPATH, nil as String?)
        }
        if let signer = request.signer {
            set(CURLOPT_AWS_SIGV4, "aws:amz:\(signer.region):s3")
            set(CURLOPT_USERNAME, signer.accessKey)
            set(CURLOPT_PASSWORD, signer.secretKey)
        }
        // Proxies are the environment's (http_proxy, https_proxy, all_proxy, no_proxy), but requests to this machine never go through one.
        let url = ServerURL(request.url)
        if let url, Loopback.contains(url.host) { set(CURLOPT_PROXY, "") }
        // A proxy's own headers, which come before the server's, are not part of the answer.
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        return withHeaders(request.headers, isSigned: request.signer != nil) {
            set(CURLOPT_CUSTOMREQUEST, request.method)
            guard let body = request.body else { return run(url, maximumAnswerBytes) }
            return body.withUnsafeBytes { bytes in
                set(CURLOPT_POSTFIELDS, bytes.baseAddress ?? UnsafeRawPointer(words))
                set(CURLOPT_POSTFIELDSIZE_LARGE, size: bytes.count)
                return run(url, maximumAnswerBytes)
            }
        }
    }

    // MARK: Answer

    /// What libcurl hands over during an exchange; used only by the exchange's thread.
    fileprivate final class Reception {
        let maximumBytes: Int
        var headers: [(name: String, value: String)] = []
        var body: [UInt8] = []
        var isTooLong = false

        init(maximumBytes: Int) { self.maximumBytes = maximumBytes }
    }

    private func run(_ url: ServerURL?, _ maximumAnswerBytes: Int) -> Result<HTTPTransport.Answer, TransportError> {
        let reception = Reception(maximumBytes: maximumAnswerBytes)
        let context = UnsafeRawPointer(Unmanaged.passUnretained(reception).toOpaque())
        set(CURLOPT_HEADERDATA, context)
        set(CURLOPT_WRITEDATA, context)
        set(CURLOPT_HEADERFUNCTION) { bytes, size, count, context in CurlHandle.took(bytes, size * count, context) { $0.take(header: $1) } }
        set(CURLOPT_WRITEFUNCTION) { bytes, size, count, context in CurlHandle.took(bytes, size * count, context) { $0.take(body: $1) } }
        let code = withExtendedLifetime(reception) { Self.withoutBrokenPipes { curl_easy_perform(handle) } }
        guard code == CURLE_OK else { return .failure(error(code, url, isTooLong: reception.isTooLong)) }
        let headers = reception.headers.enumerated().sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }.map(\.element)
        return .success(.init(status: gatehouse_number(handle, CURLINFO_RESPONSE_CODE), headers: headers, body: reception.body))
    }

    /// - Returns: how many bytes were taken; taking fewer than were passed ends the exchange ("Returning a value other than the amount of
    ///   bytes passed signals an error condition", CURLOPT_WRITEFUNCTION(3)).
    private static func took(
        _ bytes: UnsafeMutablePointer<CChar>?,
        _ count: Int,
        _ context: UnsafeMutableRawPointer?,
        _ take: (Reception, UnsafeRawBufferPointer) -> Bool
    ) -> Int {
        guard let context else { return 0 }
        let reception = Unmanaged<Reception>.fromOpaque(context).takeUnretainedValue()
        return take(reception, UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
    }

    /// OpenSSL writes to its socket with write(2), which raises SIGPIPE in this thread when the other side has gone; that must not end the
    /// process. The signal is blocked in this thread and, if it was raised, consumed.
    private static func withoutBrokenPipes<Result>(_ body: () -> Result) -> Result {
        var pipe = sigset_t()
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        var before = sigset_t()
        pthread_sigmask(SIG_BLOCK, &pipe, &before)
        defer {
            var pending = sigset_t()
            sigpending(&pending)
            // With the signal pending this returns at once.
            if sigismember(&pending, SIGPIPE) == 1, sigismember(&before, SIGPIPE) == 0 {
                var signal: Int32 = 0
                sigwait(&pipe, &signal)
            }
            pthread_sigmask(SIG_SETMASK, &before, nil)
        }
        return body()
    }

    // MARK: Options

    /// Runs `body` with the request's headers set; libcurl keeps only the list's address.
    private func withHeaders<Result>(
        _ headers: [(name: String, value: String)],
        isSigned: Bool,
        _ body: () -> Result
    ) -> Result {
        var list: UnsafeMutablePointer<curl_slist>?
        // Without "Expect: 100-continue", after which libcurl would wait for a second and might send a body twice. Signed requests keep it,
        // because libcurl 7.88 signs the header even when it is left out. libcurl adds it to bodies of more than 1 MiB.
        for line in headers.map({ "\($0.name): \($0.value)" }) + (isSigned ? [] : ["Expect:"]) {
            guard let longer = curl_slist_append(list, line) else { preconditionFailure("libcurl has memory for a header") }
            list = longer
        }
        defer { curl_slist_free_all(list) }
        set(CURLOPT_HTTPHEADER, UnsafeRawPointer(list))
        return body()
    }

    /// If this libcurl did not know an option, the request would be sent differently from what was meant.
    private func check(_ code: CURLcode, _ option: CURLoption) { precondition(code == CURLE_OK, "libcurl takes option \(option.rawValue)") }

    private func set(_ option: CURLoption, _ value: Int) { check(gatehouse_set_number(handle, option, value), option) }

    private func set(_ option: CURLoption, size: Int) { check(gatehouse_set_size(handle, option, curl_off_t(size)), option) }

    private func set(_ option: CURLoption, _ value: String?) { check(gatehouse_set_text(handle, option, value), option) }

    private func set(_ option: CURLoption, _ value: UnsafeRawPointer?) { check(gatehouse_set_pointer(handle, option, value), option) }

    private func set(_ option: CURLoption, _ value: gatehouse_receiver) { check(gatehouse_set_receiver(handle, option, value), option) }

    // MARK: Errors

    private func error(_ code: CURLcode, _ url: ServerURL?, isTooLong: Bool) -> TransportError {
        let isTLS = url?.scheme == "https"
        // The request is sent only after the connection is made, including TLS; until then libcurl reports 0.
        let mayHaveArrived = gatehouse_size(handle, isTLS ? CURLINFO_APPCONNECT_TIME_T : CURLINFO_CONNECT_TIME_T) != 0
        let said = String(cString: words)
        return TransportError(
            code: isTooLong ? .tooLong : reason(code, isTLS: isTLS, isConnected: mayHaveArrived, isProxys: isProxys(url)),
            mayHaveArrived: mayHaveArrived,
            detail: said.isEmpty ? String(cString: curl_easy_strerror(code)) : said
        )
    }

    /// Whether libcurl's message is about the environment's proxy: it then names a host other than the one asked for. (CURLINFO_USED_PROXY
    /// came with libcurl 8.7.)
    private func isProxys(_ url: ServerURL?) -> Bool {
        let variables = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
        guard let host = url?.host, variables.contains(where: { getenv($0) != nil }) else { return false }
        return !String(cString: words).contains(host.filter { $0 != "[" && $0 != "]" })
    }

    private func reason(_ code: CURLcode, isTLS: Bool, isConnected: Bool, isProxys: Bool) -> TransportError.Obstacle {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST: .unknownHost
        case CURLE_GOT_NOTHING: .hungUp
        case CURLE_COULDNT_CONNECT where isProxys: .proxy
        case CURLE_COULDNT_CONNECT: Int32(gatehouse_number(handle, CURLINFO_OS_ERRNO)) == ECONNREFUSED ? .refused : .unreachable
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: .proxy
        // The proxy answered our CONNECT with a refusal, or not at all.
        case CURLE_RECV_ERROR where isTLS && !isConnected && gatehouse_number(handle, CURLINFO_HTTP_CONNECTCODE) > 0: .proxy
        case CURLE_PEER_FAILED_VERIFICATION: certificate
        case CURLE_SSL_CACERT_BADFILE: .trustFile
        case CURLE_SSL_CONNECT_ERROR: String(cString: words).contains("wrong version number") ? .notTLS : .handshakeFailed
        // libcurl takes an answer that does not begin like HTTP for HTTP/0.9, which is not allowed.
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY: .notHTTP
        default: .lost
        }
    }

    /// By OpenSSL's numbers (x509_vfy.h). libcurl compares the name itself, after OpenSSL has found the chain good, and has no number for a
    /// mismatch.
    private var certificate: TransportError.Obstacle {
        if String(cString: words).contains("target host name") { return .certificateOfAnotherHost }
        return switch gatehouse_number(handle, CURLINFO_SSL_VERIFYRESULT) {
        case 62: .certificateOfAnotherHost
        case 9, 10: .certificateExpired
        case 2, 18, 19, 20, 21, 27: .certificateUnknown
        default: .certificateRefused
        }
    }
}

extension CurlHandle.Reception {
    /// One line of a response head: the status line, a header, or the empty line.
    fileprivate func take(header bytes: UnsafeRawBufferPointer) -> Bool {
        let line = String(decoding: bytes, as: UTF8.self)
        // A second head belongs to the answer; the one before it was a 1xx response.
        if line.hasPrefix("HTTP/") {
            headers = []
        } else if let colon = line.firstIndex(of: ":") {
            headers.append((line[..<colon].lowercased(), Self.trimmed(line[line.index(after: colon)...])))
        }
        return true
    }

    /// RFC 9110 section 5.5: white space around a field's value is no part of it.
    private static func trimmed(_ value: Substring) -> String {
        var value = value.drop(while: \.isWhitespace)
        while value.last?.isWhitespace == true { value.removeLast() }
        return String(value)
    }

    fileprivate func take(body bytes: UnsafeRawBufferPointer) -> Bool {
        guard body.count + bytes.count <= maximumBytes else {
            isTooLong = true
            return false
        }
        body.append(contentsOf: bytes)
        return true
    }
}
