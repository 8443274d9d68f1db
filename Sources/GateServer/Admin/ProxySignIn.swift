import GateHTTP
import GateJSON
import GateModel
package import GateService

/// How the proxy in front says who is signed in: `--sign-in-header` and the options that belong to it. Believed only from a
/// ``TrustedProxies`` peer.
package struct ProxySignIn: Sendable {
    /// The field with the person's name.
    private let header: String
    /// The field with their groups, separated by commas; nil where the table needs none.
    private let groupsHeader: String?
    /// The field with the moment of their proof, in whole seconds since 1970 (OpenID Connect's `auth_time`); nil where the proxy does not
    /// tell.
    private let timeHeader: String?
    private let groups: SignInGroups
    /// Where the browser goes after signing out.
    let signOutURL: String?

    /// Settings that cannot be intended.
    package struct Unfit: Error, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// Fields that mean something else, to this server or to anything in between.
    private static let reserved: Set<String> = [
        "accept", "authorization", "connection", "content-length", "content-type", "cookie", "expect", "forwarded", "host",
        "idempotency-key",
        "if-none-match", "origin", "proxy-authorization", "referer", "sec-fetch-site", "te", "trailer", "transfer-encoding", "upgrade",
        "user-agent", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-gatehouse-csrf", "x-gatehouse-source",
        "x-real-ip",
    ]

    /// Bytes of a sign-out address.
    private static let longestURL = 2_000

    /// - Parameter proxies: the peers that are believed.
    /// - Throws: what is wrong and how to fix it.
    package init(
        header: String,
        groupsHeader: String?,
        timeHeader: String? = nil,
        groups: SignInGroups,
        signOutURL: String?,
        proxies: TrustedProxies
    ) throws(Unfit) {
        guard proxies != .none else {
            throw Unfit(
                description:
                    "--sign-in-header is believed only from a proxy: name the address that yours comes from with --trusted-proxy, such as --trusted-proxy 127.0.0.1."
            )
        }
        guard !proxies.includesEverybody else {
            throw Unfit(
                description:
                    "--trusted-proxy includes every address there is, so anybody could sign in as anybody with --sign-in-header: name the proxy's own address."
            )
        }
        let fields = [("--sign-in-header", header), ("--sign-in-groups-header", groupsHeader), ("--sign-in-time-header", timeHeader)]
        for (option, name) in fields {
            guard let name else { continue }
            guard name.utf8.count <= 100, HTTPHeaders.Field(name: name, value: "").isSendable, !Self.reserved.contains(name.lowercased())
            else {
                throw Unfit(
                    description:
                        "\(option) is the name of a header field that means nothing else, such as X-Remote-User, not \"\(name.prefix(100))\"."
                )
            }
        }
        let names = fields.compactMap { $0.1?.lowercased() }
        guard Set(names).count == names.count else {
            throw Unfit(description: "--sign-in-header, --sign-in-groups-header and --sign-in-time-header are three different fields.")
        }
        guard groupsHeader != nil || !groups.namesGroups else {
            throw Unfit(
                description:
                    "the table of --sign-in-groups names groups, but no header field brings any: give the field's name with --sign-in-groups-header, or keep only the line for *."
            )
        }
        if let signOutURL, !Self.isPlace(signOutURL) {
            throw Unfit(
                description:
                    "--sign-out-url is an https:// address or a path of the dashboard's own host, such as /oauth2callback?logout=https%3A%2F%2Fgate.example.com%2F."
            )
        }
        self.header = header
        self.groupsHeader = groupsHeader
        self.timeHeader = timeHeader
        self.groups = groups
        self.signOutURL = signOutURL
    }

    /// Whom a request names.
    /// - Returns: nil where the sender is not trusted, or the request names nobody.
    /// - Throws: `sign_in_header` (401) for a field that is not one plain name: reading only half of it would take one person for another.
    func person(in request: HTTPRequest, by proxies: TrustedProxies) throws(ServiceError) -> ProxiedPerson? {
        guard proxies.contains(request.peer) else { return nil }
        guard let name = try single(header, request) else { return nil }
        guard Username.accepts(name) else {
            throw Self.unreadable(
                "The field \(header) does not hold a user name: \(Username.lengths.lowerBound) to \(Username.lengths.upperBound) letters, digits, dots, hyphens, underscores or @, and no number. Let the proxy send another claim, such as the address or the short name."
            )
        }
        var groups: [String] = []
        if let groupsHeader, let value = try single(groupsHeader, request) { groups = SignInGroups.names(in: value) }
        return ProxiedPerson(name: name, rights: self.groups.rights(of: groups), proof: try proof(in: request))
    }

    private func proof(in request: HTTPRequest) throws(ServiceError) -> ProxiedPerson.Proof? {
        guard let timeHeader else { return nil }
        guard let text = try single(timeHeader, request) else { return .untold }
        guard (1...11).contains(text.utf8.count), text.utf8.allSatisfy({ $0 &- 0x30 < 10 }), let seconds = Int64(text) else {
            throw Self.unreadable("The field \(timeHeader) holds no time in whole seconds since 1970.")
        }
        return .at(Timestamp(milliseconds: seconds * 1_000))
    }

    /// - Throws: `sign_in_header` (401) for two fields of that name: who added which?
    private func single(_ name: String, _ request: HTTPRequest) throws(ServiceError) -> String? {
        let values = request.headers.values(of: name)
        guard values.count <= 1 else {
            throw Self.unreadable(
                "There are \(values.count) fields \(name), but there must be one: let the proxy remove the browser's before it sets its own."
            )
        }
        return values.first
    }

    private static func unreadable(_ detail: String) -> ServiceError { ServiceError(.unauthenticated, "sign_in_header", detail) }

    /// Whether a browser may be sent there: a path on this host, or a web address.
    private static func isPlace(_ text: String) -> Bool {
        guard text.utf8.count <= longestURL, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"\"<>\\^`{|}".utf8.contains($0) }) else {
            return false
        }
        if text.hasPrefix("/") { return !text.hasPrefix("//") }
        return ["https://", "http://"].contains { text.lowercased().hasPrefix($0) && text.utf8.count > $0.utf8.count }
    }
}
