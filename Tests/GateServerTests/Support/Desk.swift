import Foundation
import GateCrypto
import GateHTTP
public import GateJSON
import GateModel
import GateService
import GateStore
import GateTesting
import Synchronization

@testable import GateServer

/// Both listeners' responders over a real service and store in a temporary folder, asked without a socket.
final class Desk: Sendable {
    /// Whose credentials a request carries.
    enum Who: String, Sendable, CaseIterable {
        case nobody, viewer, `operator`
        /// An operator of the app `bank` only.
        case banker
        case admin
    }

    static let password = "a long pass phrase"

    let folder: String
    /// Where the database is, when the tests run on PostgreSQL.
    let server: PostgresDatabase?
    /// What `--database` would say.
    var address: DatabaseServer? { server.flatMap { try? DatabaseServer($0.url) } }
    let clock = TestClock()
    let ledger: Ledger
    var service: ChangeService { ChangeService(ledger: ledger) }
    let access: AccessService
    let services: Services
    let admin: AdminResponder
    let feeds: FeedsResponder
    let reach: ReachTracker
    let table: FeedTable
    /// What the log was told.
    let told = ToldFailures()
    private let tokens: [Who: String]
    private let number = Atomic<Int>(0)

    static let migrations = ProjectFiles.migrations

    /// - Parameters:
    ///   - secure: whether the dashboard is reached by https.
    ///   - origin: the dashboard's address as browsers see it.
    ///   - proxies: who may say on whose behalf a request comes.
    ///   - proxySignIn: how one of them says who is signed in.
    ///   - wideShare: as of ``Ledger``.
    ///   - computing: as of ``Services``; by default nothing is refused, because tests ask a lot.
    init(
        protected: Bool = false,
        secure: Bool = false,
        origin: String? = nil,
        proxies: TrustedProxies = .none,
        proxySignIn: ProxySignIn? = nil,
        wideShare: Double = 0.25,
        computing: ComputingShare = ComputingShare(most: .seconds(3_600))
    ) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "gatehouse-" + UUID().uuidString).path
        let pages = folder + "/pages"
        try FileManager.default.createDirectory(atPath: pages, withIntermediateDirectories: true)
        try Data("<!doctype html>".utf8).write(to: URL(filePath: pages + "/index.html"))
        try Data("export {}".utf8).write(to: URL(filePath: pages + "/app.js"))

        let (clock, failing) = (clock, FailureSwitch())
        let table = FeedTable(now: { clock.now })
        self.failure = failing
        let failures = FailureLog(now: { clock.now }, line: told.add)
        let logged = Logged()
        self.logged = logged
        let ledger = Ledger(
            environment: Environment(name: "test", colour: "staging", isProtected: protected),
            wideShare: wideShare,
            folder: PublicationFolder(dataFolder: folder),
            sink: table,
            failures: failures,
            now: { clock.now }
        )
        var configuration = StoreConfiguration(directory: folder, migrations: Self.migrations, createIfMissing: true, now: { clock.now })
        configuration.failpoint = { _ in try failing.hit() }
        let server = try TestEngine.database()
        self.server = server
        configuration.server = server.flatMap { try? DatabaseServer($0.url) }
        configuration.busyTimeout = 0.05
        self.configuration = configuration
        try ledger.start(with: Store(configuration))
        ledger.historyChecked(fault: nil)
        let keys = KeyFolder(dataFolder: folder, random: .system)
        let access = AccessService(
            store: { ledger.store },
            hasher: PasswordHasher(cost: .least),
            random: .system,
            keys: keys,
            failures: failures,
            now: { clock.now }
        )
        var tokens: [Who: String] = [:]
        for (who, role, scope) in [
            (Who.viewer, Role.viewer, AppScope.all), (.operator, .operator, .all), (.banker, .operator, .only([AppKey("bank")!])),
            (.admin, .admin, .all),
        ] { tokens[who] = try access.createToken(name: who.rawValue, role: role, scope: scope, createdBy: "ann", from: .console) }
        self.tokens = tokens
        let reach = ReachTracker(table: table)
        ledger.learnPolls(from: CurrentPolls(reach, now: { clock.now }))
        self.reach = reach
        self.table = table
        let backups = BackupService(ledger: ledger, folder: try BackupFolder(folder + "/backups"), interval: 3_600, kept: 48)
        let rehearsals = RehearsalTable(beside: table, now: { clock.now })
        let services = Services(
            ledger: ledger,
            access: access,
            version: "1.2.3",
            isSecure: secure,
            rehearsals: RehearsalService(ledger: ledger, random: .system, stage: rehearsals),
            reach: reach,
            backups: backups,
            notices: Notices { [logged] message, details in
                logged.withLock { $0.append("\(message) \(details)") }
            },
            proxySignIn: proxySignIn,
            computing: computing
        )
        self.services = services
        let files = try StaticFiles(folder: pages, headers: HeaderSet.file, pages: HeaderSet.page) { _ in "tag" }
        admin = try AdminResponder(services: services, files: files, table: table, origins: origin.map { [$0] } ?? [], proxies: proxies)
        feeds = FeedsResponder(table: table, rehearsals: rehearsals)
        self.ledger = ledger
        self.access = access
    }

    let failure: FailureSwitch
    private let configuration: StoreConfiguration
    /// What the responder had to say in the log.
    let logged: Logged

    final class Logged: Sendable {
        private let lines = Mutex<[String]>([])

        func withLock(_ body: (inout [String]) -> Void) { lines.withLock { body(&$0) } }

        var all: [String] { lines.withLock { $0 } }
    }

    deinit {
        // Whatever is left over in a temporary folder harms nobody.
        try? ledger.store?.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Counts a phone's poll, as the socket's side does, and takes the reading that is due every second.
    func countPoll(_ path: String) throws {
        guard let response = table.response(at: path) else { throw PollOfNothing(path: path) }
        response.polls.countFetched()
        reach.sample(at: clock.now)
    }

    /// What was counted of a target's native feed since it became what it is.
    func nativePolls(_ app: String, _ platform: String) throws -> PollCounts {
        try table.response(at: "/feeds/\(app)/\(platform)/gate.json").unwrapped().polls.counts
    }

    /// The answer to a poll by the bytes of its query as they come, which is the way of a real one.
    func answer(to query: String, at path: String) throws -> PreparedResponse {
        var query = query
        let feed = try table.response(at: path).unwrapped()
        return try query.withUTF8 { try feed.variants.unwrapped().response(to: UnsafeRawBufferPointer($0), isPoll: true) } ?? feed
    }

    /// Answers for single phones that are kept.
    var variantCount: Int { table.variantCount }
    /// Questions whose answers are remembered.
    var questionCount: Int { table.questionCount }

    struct PollOfNothing: Error {
        let path: String
    }

    /// Closes the store and opens it again with SQL run on its connections.
    func reopen(_ sql: String...) throws {
        try ledger.store?.close()
        var configuration = configuration
        configuration.afterOpening = sql
        try ledger.start(with: Store(configuration))
        ledger.historyChecked(fault: nil)
    }

    func token(_ who: Who) -> String? { tokens[who] }

    // MARK: Asking

    /// Asks the admin listener.
    func ask(
        _ method: HTTPMethod,
        _ target: String,
        _ body: String? = nil,
        as who: Who = .admin,
        headers: HTTPHeaders = [:],
        bytes: [UInt8]? = nil,
        peer: PeerAddress = PeerAddress(bytes: [127, 0, 0, 1])
    ) -> HTTPResponse {
        var headers = headers
        if let token = tokens[who], headers["Authorization"] == nil { headers.append("Authorization", "Bearer \(token)") }
        let body = bytes ?? body.map { Array($0.utf8) }
        if body != nil, headers["Content-Type"] == nil { headers.append("Content-Type", "application/json") }
        return admin.response(to: request(method, target, headers, body ?? [], peer))
    }

    /// Whether the admin listener shows exactly that answer of the feeds listener, with the headers of its own besides.
    func shows(_ answer: PreparedResponse?, at target: String) -> Bool {
        let look = ask(.get, target, as: .nobody)
        guard let answer, look.status == 200, look.body == answer.body else { return false }
        return look.headers.map { "\($0)" }.sorted() == (answer.headers + HeaderSet.admin).map { "\($0)" }.sorted()
    }

    /// Asks the feeds listener.
    func poll(_ target: String, _ method: HTTPMethod = .get, headers: HTTPHeaders = [:]) -> HTTPResponse {
        feeds.response(to: request(method, target, headers, [], PeerAddress(bytes: [192, 0, 2, 7])))
    }

    func request(_ method: HTTPMethod, _ target: String, _ headers: HTTPHeaders, _ body: [UInt8], _ peer: PeerAddress) -> HTTPRequest {
        let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
        let pairs =
            parts.count < 2
            ? [] : parts[1].split(separator: "&").map { $0.split(separator: "=", maxSplits: 1).map { $0.removingPercentEncoding ?? "" } }
        return HTTPRequest(
            method: method,
            path: parts[0],
            query: pairs.map { (name: $0[0], value: $0.count > 1 ? $0[1] : "") },
            headers: headers,
            body: body,
            peer: peer,
            id: RequestIdentifier.text(UInt64(number.wrappingAdd(1, ordering: .relaxed).newValue))
        )
    }

    // MARK: Furnishing

    /// The apps `shop` (ios, android) and `bank` (ios), by the API itself: changes 1 to 5.
    func furnished() throws -> Desk {
        for (app, platforms) in [("shop", ["ios", "android"]), ("bank", ["ios"])] {
            try ask(.post, "/api/v1/apps", #"{"key":"\#(app)","name":"\#(app)"}"#).expect(201)
            for platform in platforms { try ask(.put, "/api/v1/apps/\(app)/platforms/\(platform)", "{}").expect(201) }
        }
        return self
    }

    func change(_ targets: String, _ rest: String, as who: Who = .admin, headers: HTTPHeaders = [:]) -> HTTPResponse {
        ask(.post, "/api/v1/changes", #"{"targets":[\#(targets)],\#(rest)}"#, as: who, headers: headers)
    }

    /// Everything that a refused request must not alter.
    func state() throws -> State {
        let store = try ledger.store.unwrapped()
        return State(
            stored: try store.loadState(),
            users: try store.users().count,
            tokens: try store.tokens().count,
            feed: poll("/feeds/shop/launchgate.json").text
        )
    }

    struct State: Equatable {
        let stored: StoredState
        let users: Int
        let tokens: Int
        let feed: String
    }

    // MARK: Signing in

    /// A browser that has signed in.
    struct Browser {
        let cookie: String
        let csrf: String
        var headers: HTTPHeaders { ["Cookie": cookie, "X-Gatehouse-CSRF": csrf, "Host": "gate.test"] }
    }

    /// Signs the first administrator in, making that person first.
    func browser() throws -> Browser {
        if try access.needsSetup() { try access.createFirstAdministrator(name: "ann", password: Self.password, from: .console) }
        return try browser(from: ask(.post, "/api/v1/session", #"{"username":"ann","password":"\#(Self.password)"}"#, as: .nobody))
    }

    /// The browser that an answer to a sign-in makes.
    func browser(from response: HTTPResponse) throws -> Browser {
        try response.expect(200)
        let cookie = try response.headers["Set-Cookie"].unwrapped().split(separator: ";")[0]
        return Browser(cookie: String(cookie), csrf: try response.json["csrf"]?.string.unwrapped() ?? "")
    }
}

/// Lets commits fail for as long as it is set.
final class FailureSwitch: Sendable {
    private let error = Mutex<StoreError?>(nil)

    func set(_ error: StoreError?) { self.error.withLock { $0 = error } }

    func hit() throws { if let error = error.withLock({ $0 }) { throw error } }
}

/// Keeps what the service told the log.
final class ToldFailures: Sendable {
    private let told = Mutex<[Failure]>([])

    @Sendable func add(_ failure: Failure) { told.withLock { $0.append(failure) } }

    /// What was told since it was asked last.
    func take() -> [Failure] {
        told.withLock { told in
            defer { told = [] }
            return told
        }
    }
}

extension HTTPResponse {
    struct Unexpected: Error, CustomStringConvertible { let description: String }

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as an object; empty when it is none.
    var json: JSONObject { (try? JSONReader.read(body, limits: .own))?.object ?? [:] }  // a missing member then fails the test

    var code: String? { json["code"]?.string }

    var field: String? { json["field"]?.string }

    /// `422 invalid_version /set/…` for a problem, else the status alone.
    var summary: String { ([String(status)] + [code, field].compactMap { $0 }).joined(separator: " ") }

    func expect(_ status: Int) throws {
        guard self.status == status else { throw Unexpected(description: "\(self.status) instead of \(status): \(text)") }
    }
}

extension JSONValue {
    /// The value at a path of names and indices with dots: `items.0.sequence`.
    subscript(path: String) -> JSONValue? {
        path.split(separator: ".").reduce(Optional(self)) { value, step in
            if let index = Int(step), let items = value?.array { return items.indices.contains(index) ? items[index] : nil }
            return value?.object?[String(step)]
        }
    }
}

extension JSONObject {
    func at(_ path: String) -> JSONValue? { JSONValue.object(self)[path] }
}

extension Optional {
    struct Missing: Error {}

    func unwrapped() throws -> Wrapped {
        guard let self else { throw Missing() }
        return self
    }
}

/// So that an expectation reads as the document does.
extension JSONValue: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) { self = .string(text) }
}
