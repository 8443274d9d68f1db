/// One operation of the admin API: a method and a path pattern.
///
/// The server's route table and every client take their paths from here, so that they cannot drift apart.
package struct Endpoint: Sendable, Hashable, CustomStringConvertible {
    package enum Method: String, Sendable, Hashable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    package let method: Method
    /// `/api/v1/apps/{app}`: segments are literal or one parameter in braces.
    package let pattern: String
    /// The names of the parameters in the query string that the endpoint knows.
    package let queryNames: [String]
    /// Who may call it at all; whether they may do this very thing to this very app is the service's decision.
    package let access: Access
    /// By what the caller must have proven who it is.
    package let proof: Proof

    package enum Access: Sendable, Hashable {
        /// No sign-in: it is how one signs in.
        case anyone
        case viewer
        case operatorRole
        case admin
    }

    /// What a caller must show beside its role. A token is a proof of its own: a tool has no password to give again.
    package enum Proof: Sendable, Hashable {
        /// A session or a token.
        case any
        /// A token, or a session whose password was given at most ``freshSeconds`` ago (ASVS 5.0 section 7.5): who finds a browser
        /// unlocked can then make neither people nor tokens, nor delete anything.
        case fresh
        /// A session: what it does concerns the person, whom a token does not stand for.
        case session
        /// A session whose password was given at most ``freshSeconds`` ago.
        case freshSession
    }

    /// For how many seconds a sign-in is fresh.
    package static let freshSeconds: Int64 = 300

    private init(_ method: Method, _ path: String, _ access: Access, _ proof: Proof = .any, query: [String] = []) {
        self.method = method
        pattern = Self.base + path
        self.access = access
        self.proof = proof
        queryNames = query
    }

    /// What every pattern starts with.
    package static let base = "/api/v1"

    /// The parameters' names in the order of the pattern.
    package var parameterNames: [String] {
        pattern.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
    }

    /// The path with `values` in the places of the parameters, in their order, each percent-encoded as one segment, and the query.
    /// - Parameter query: names and values; a nil value leaves the name out.
    /// - precondition: as many values as the pattern has parameters, none empty, and only names that the endpoint knows.
    package func path(_ values: String..., query: [(name: String, value: String?)] = []) -> String {
        path(values, query: query)
    }

    /// As ``path(_:query:)-(String...,_)``.
    package func path(_ values: [String], query: [(name: String, value: String?)] = []) -> String {
        precondition(values.count == parameterNames.count && values.allSatisfy { !$0.isEmpty }, "\(self) takes \(parameterNames)")
        precondition(query.allSatisfy { queryNames.contains($0.name) }, "\(self) knows the query \(queryNames)")
        var rest = values[...]
        let segments = pattern.split(separator: "/").map { segment in
            segment.hasPrefix("{") ? Self.encoded(rest.removeFirst()) : String(segment)
        }
        let pairs = query.compactMap { pair in pair.value.map { "\(pair.name)=\(Self.encoded($0))" } }
        return "/" + segments.joined(separator: "/") + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
    }

    package var description: String { "\(method.rawValue) \(pattern)" }

    /// Everything but RFC 3986's unreserved characters escaped, so that one value stays one segment, or one query value, for every reader.
    private static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF")
        return text.utf8.reduce(into: "") { encoded, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                encoded.append("%")
                encoded.append(digits[Int(byte >> 4)])
                encoded.append(digits[Int(byte & 15)])
            }
        }
    }
}

extension Endpoint {
    // Signing in. A first administrator's code, a password, a session.
    package static let setupState = Endpoint(.get, "/setup", .anyone)
    package static let setUp = Endpoint(.post, "/setup", .anyone)
    package static let signIn = Endpoint(.post, "/session", .anyone)
    package static let session = Endpoint(.get, "/session", .viewer)
    package static let signOut = Endpoint(.delete, "/session", .viewer)
    package static let reauthenticate = Endpoint(.post, "/session/reauthenticate", .viewer, .session)

    // One's own account.
    package static let account = Endpoint(.get, "/account", .viewer, .session)
    package static let changePassword = Endpoint(.post, "/account/password", .viewer, .session)
    package static let startTOTP = Endpoint(.post, "/account/totp", .viewer, .freshSession)
    package static let confirmTOTP = Endpoint(.post, "/account/totp/confirm", .viewer, .session)
    package static let removeTOTP = Endpoint(.delete, "/account/totp", .viewer, .freshSession)
    package static let listSessions = Endpoint(.get, "/account/sessions", .viewer, .session)
    package static let endSessions = Endpoint(.delete, "/account/sessions", .viewer, .freshSession)
    package static let endSession = Endpoint(.delete, "/account/sessions/{id}", .viewer, .freshSession)

    package static let status = Endpoint(.get, "/status", .viewer)

    package static let listApps = Endpoint(.get, "/apps", .viewer, query: ["limit", "cursor"])
    package static let createApp = Endpoint(.post, "/apps", .admin)
    package static let app = Endpoint(.get, "/apps/{app}", .viewer)
    package static let editApp = Endpoint(.patch, "/apps/{app}", .admin)
    package static let deleteApp = Endpoint(.delete, "/apps/{app}", .admin, .fresh)
    package static let putPlatform = Endpoint(.put, "/apps/{app}/platforms/{platform}", .admin)
    package static let deletePlatform = Endpoint(.delete, "/apps/{app}/platforms/{platform}", .admin, .fresh)

    package static let listTargets = Endpoint(.get, "/targets", .viewer, query: ["limit", "cursor"])
    package static let target = Endpoint(.get, "/targets/{app}/{platform}", .viewer)

    package static let listChanges = Endpoint(
        .get, "/changes", .viewer, query: ["app", "platform", "actor", "source", "since", "until", "after", "limit", "cursor"]
    )
    package static let commitChange = Endpoint(.post, "/changes", .operatorRole)
    package static let change = Endpoint(.get, "/changes/{sequence}", .viewer)
    package static let events = Endpoint(.get, "/events", .viewer, query: ["after"])

    package static let importFile = Endpoint(.post, "/import", .operatorRole)

    /// A question, although it is posted: a draft does not fit into an address.
    package static let simulate = Endpoint(.post, "/simulate", .viewer)

    // Everything as one document, and such a document made true. A document can take apps away.
    package static let export = Endpoint(.get, "/export", .viewer, query: ["app"])
    package static let apply = Endpoint(.post, "/apply", .admin, .fresh)

    package static let listWindows = Endpoint(.get, "/windows", .viewer, query: ["app", "state", "limit", "cursor"])
    package static let createWindow = Endpoint(.post, "/windows", .operatorRole)
    package static let window = Endpoint(.get, "/windows/{id}", .viewer)
    package static let cancelWindow = Endpoint(.delete, "/windows/{id}", .operatorRole)
    package static let runWindow = Endpoint(.post, "/windows/{id}/run", .operatorRole)

    // People, and the tokens of tools. Everybody has tokens of their own; those of others are the administrators'.
    package static let listUsers = Endpoint(.get, "/users", .admin, query: ["limit", "cursor"])
    package static let createUser = Endpoint(.post, "/users", .admin, .fresh)
    package static let editUser = Endpoint(.patch, "/users/{user}", .admin, .fresh)
    package static let deleteUser = Endpoint(.delete, "/users/{user}", .admin, .fresh)
    package static let listTokens = Endpoint(.get, "/tokens", .viewer, query: ["limit", "cursor"])
    package static let createToken = Endpoint(.post, "/tokens", .viewer, .fresh)
    package static let revokeToken = Endpoint(.delete, "/tokens/{id}", .viewer, .fresh)

    package static let listAudit = Endpoint(.get, "/audit", .admin, query: ["actor", "action", "since", "until", "after", "limit", "cursor"])

    /// Every endpoint, in the order in which people look for them.
    package static let all: [Endpoint] = [
        setupState, setUp, signIn, session, signOut, reauthenticate,
        account, changePassword, startTOTP, confirmTOTP, removeTOTP, listSessions, endSessions, endSession,
        status,
        listApps, createApp, app, editApp, deleteApp, putPlatform, deletePlatform,
        listTargets, target,
        listChanges, commitChange, change, events,
        importFile, simulate, export, apply,
        listWindows, createWindow, window, cancelWindow, runWindow,
        listUsers, createUser, editUser, deleteUser, listTokens, createToken, revokeToken,
        listAudit,
    ]
}
