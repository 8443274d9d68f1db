extension HTTPServer {
    /// How a listener is set up. The defaults are the feeds listener's.
    package struct Configuration: Sendable {
        /// A numeric IPv4 or IPv6 address without brackets. `::` takes IPv4 callers too.
        package var address: String
        /// 0 picks a free port; `HTTPServer.port` tells which.
        package var port: UInt16
        /// Threads that serve requests, each with its own share of the connections; 1–64.
        package var workers: Int
        /// Open connections at most, shared evenly among the workers; callers beyond it wait in the kernel's backlog.
        package var connectionLimit: Int
        /// Memory of one connection: bounds request line plus header (414, 431) and is cleared for every request, so its size affects
        /// speed: 54,700 instructions a request at libmicrohttpd's own 32 KiB, 17,900 at 8 KiB.
        package var connectionMemoryBytes: Int
        /// A larger body is answered 413.
        package var maximumBodyBytes: Int
        /// A connection on which nothing moves is closed after this; whole seconds.
        package var idleTimeout: Duration
        package var deadlines: Deadlines
        /// Callers the kernel keeps waiting before they are accepted.
        package var backlog: Int
        /// Called with the `Host` of every request that has one, port included, and its target without the query, both as sent; a request
        /// for which it returns false is answered 421. Nil accepts any host. HTTP/1.0 may come without a `Host`, but no browser sends it
        /// so.
        package var acceptsHost: (@Sendable (_ host: String, _ target: String) -> Bool)?
        /// Whether ready-made answers are counted as polls: false where the callers are people and their tools.
        package var countsPolls: Bool
        /// Nil serves plain HTTP.
        package var tls: TLSFiles?
        /// Where request numbers begin; random, so that two runs do not share them.
        package var requestNumberSeed: UInt64

        package init(
            address: String = "127.0.0.1",
            port: UInt16 = 0,
            workers: Int = 2,
            connectionLimit: Int = 10_000,
            connectionMemoryBytes: Int = 8192,
            maximumBodyBytes: Int = 262_144,
            idleTimeout: Duration = .seconds(15),
            deadlines: Deadlines = Deadlines(),
            backlog: Int = 4096,
            acceptsHost: (@Sendable (_ host: String, _ target: String) -> Bool)? = nil,
            countsPolls: Bool = true,
            tls: TLSFiles? = nil,
            requestNumberSeed: UInt64 = .random(in: .min ... .max)
        ) {
            self.address = address
            self.port = port
            self.workers = workers
            self.connectionLimit = connectionLimit
            self.connectionMemoryBytes = connectionMemoryBytes
            self.maximumBodyBytes = maximumBodyBytes
            self.idleTimeout = idleTimeout
            self.deadlines = deadlines
            self.backlog = backlog
            self.acceptsHost = acceptsHost
            self.countsPolls = countsPolls
            self.tls = tls
            self.requestNumberSeed = requestNumberSeed
        }
    }

    /// Absolute limits on the parts of a request. libmicrohttpd's own timeout restarts with every byte, so a caller who sends one byte a
    /// second would never be cut off.
    package struct Deadlines: Sendable {
        /// From the connection's start, or the first line of a later request, to the end of the header.
        package var headers: Duration
        /// From the end of the header to the end of the body.
        package var body: Duration
        /// From when the answer is ready until the kernel has taken its last byte.
        package var response: Duration
        /// From the connection's start. Shortly before it, answers say `Connection: close`.
        package var connectionAge: Duration

        package init(
            headers: Duration = .seconds(10),
            body: Duration = .seconds(30),
            response: Duration = .seconds(60),
            connectionAge: Duration = .seconds(300)
        ) {
            self.headers = headers
            self.body = body
            self.response = response
            self.connectionAge = connectionAge
        }
    }

    /// A certificate chain and its key in PEM, as text: the contents of the files, read before privileges are given up.
    package struct TLSFiles: Sendable {
        package var certificate: String
        package var key: String

        package init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }
}
