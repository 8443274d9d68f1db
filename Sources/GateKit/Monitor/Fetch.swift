import Foundation

/// One request for a feed, from the request to the document, read and verified; keeps no state.
struct Fetch: Sendable {
    let configuration: GateConfiguration
    let transport: any GateTransport
    let phone: GatePhone
    /// The last good document; the server is asked whether it is still current.
    let kept: KeptDocument?
    /// The number with which the phone is drawn while the known gate opens gradually; nil if it does not.
    var draw: Int?

    enum Answer: Sendable {
        /// The document that was kept when the request began is still current.
        case unchanged(KeptDocument)
        case document(GateDocument, KeptDocument)
    }

    /// Whether the kept document was requested for a version, build or system other than this phone's, and so was made for that one.
    var isKeptForAnother: Bool {
        let told = kept.flatMap { URLComponents(string: $0.url)?.queryItems } ?? []
        let own = URLComponents(url: address, resolvingAgainstBaseURL: true)?.queryItems ?? []
        return told.contains { ["version", "build", "os"].contains($0.name) && !own.contains($0) }
    }

    func run() async throws(GateKitError) -> Answer {
        let url = address
        var headers = ["Accept": "application/json", "Cache-Control": "no-cache"]
        let etag = kept.flatMap { $0.url == url.absoluteString ? $0.etag : nil }
        if let etag { headers["If-None-Match"] = etag }
        let response = try await send(url, headers, maximumBytes: configuration.maximumBytes)
        if response.status == 304, etag != nil, let kept { return .unchanged(kept) }
        guard response.status == 200 else { throw GateKitError(.status, "The server answers \(response.status).") }
        guard response.body.count <= configuration.maximumBytes else {
            throw GateKitError(.tooLarge, "The answer is larger than \(configuration.maximumBytes) bytes.")
        }
        var line = response.headers[SignatureCheck.header]
        if line == nil, !configuration.keys.isEmpty { line = try await signatureBeside(url) }
        let check = SignatureCheck(keys: configuration.keys)
        try check.check(response.body, line: line)
        return .document(
            try Self.read(response.body, configuration),
            KeptDocument(url: url.absoluteString, etag: response.headers["etag"], signature: line, body: response.body)
        )
    }

    /// - Throws: `malformed`; `signature` if keys are pinned and the shape cannot be signed.
    static func read(_ body: Data, _ configuration: GateConfiguration) throws(GateKitError) -> GateDocument {
        let document = try GateDocument(
            body,
            options: .init(
                platform: configuration.platform,
                numbersAsFlags: configuration.numbersAsFlags,
                maximumBytes: configuration.maximumBytes
            )
        )
        if document.shape != .native, !configuration.keys.isEmpty {
            throw GateKitError(.signature, "Keys are pinned, and only native documents are signed; this one is \(document.shape.rawValue).")
        }
        return document
    }

    /// The signature from its own address, for caches that drop headers.
    private func signatureBeside(_ url: URL) async throws(GateKitError) -> String? {
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return nil }
        components.percentEncodedPath += ".sig"
        guard let url = components.url else { return nil }
        let response = try await send(url, ["Cache-Control": "no-cache"], maximumBytes: 1_024)
        return response.status == 200 ? String(decoding: response.body, as: UTF8.self) : nil
    }

    private func send(_ url: URL, _ headers: [String: String], maximumBytes: Int) async throws(GateKitError) -> GateResponse {
        let request = GateRequest(url: url, headers: headers, timeout: configuration.timeout, maximumBytes: maximumBytes)
        do {
            return try await transport.send(request)
        } catch let error as GateKitError {
            throw error
        } catch {
            throw GateKitError(.transport, "\(error)", underlying: error)
        }
    }

    /// The feed's address, with the phone's data if the server is to decide for it.
    private var address: URL {
        let feed = configuration.feed
        let isNative = feed.lastPathComponent == "gate.json"
        let tells = configuration.parameters == .always || configuration.parameters == .automatic && !isNative
        guard tells || draw != nil, var components = URLComponents(url: feed, resolvingAgainstBaseURL: true) else { return feed }
        let names = components.queryItems?.map(\.name) ?? []
        var own =
            tells
            ? [
                ("app", configuration.app), ("platform", configuration.platform), ("version", phone.version), ("build", phone.build),
                ("os", phone.osVersion), ("locale", phone.languages.first),
            ] : []
        own.append(("targetingKey", draw.map(String.init)))
        // Parameters that the app itself wrote into the address stay, as they are spelled: a plus in them may mean a space.
        var query = components.percentEncodedQuery.flatMap { $0.isEmpty ? nil : [$0] } ?? []
        for (name, value) in own where !names.contains(name) {
            if let value = value?.addingPercentEncoding(withAllowedCharacters: Self.unescaped) { query.append("\(name)=\(value)") }
        }
        components.percentEncodedQuery = query.isEmpty ? nil : query.joined(separator: "&")
        return components.url ?? feed
    }

    /// What stands for itself in a parameter's value. Versions may contain a plus, which many servers read as a space.
    private static let unescaped = CharacterSet.urlQueryAllowed.subtracting(CharacterSet(charactersIn: "+&=;#"))
}
