import GateAdminClient
import GateModel

/// Which server, with which token, and where each came from: option, then environment, then project, then the user's own files.
struct Settings: Sendable {
    let server: ServerAddress
    /// In words, for `auth status` and `doctor`: "GATECTL_SERVER".
    let serverOrigin: String
    /// The context that named the server, if one did.
    let context: String?
    let token: BearerToken?
    let tokenOrigin: String?
    let timeout: Duration
    /// A PEM file with the authorities to trust in place of the system's: GATECTL_CA_FILE, else the context's, else SSL_CERT_FILE, as
    /// OpenSSL's own tools take it. For an address given as an option it is that of its context, which signing in makes the current one.
    let caFile: String?
    /// A sentence about a setting that is not followed although somebody may believe that it is; nil if there is none.
    let unused: String?

    /// - Parameters:
    ///   - context: the context given as an option.
    ///   - timeout: the timeout given as an option.
    ///   - server: an address given as an option, where the command has one.
    ///   - environment: the process's.
    ///   - workingDirectory: where the search for `.gatectl.json` starts.
    static func resolve(
        context contextOption: String?,
        timeout timeoutOption: Span?,
        server option: String? = nil,
        environment: [String: String],
        workingDirectory: String
    ) throws(Failure) -> Settings {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let folder = SettingsFolder(environment: environment)
        var contexts = Contexts(noneIn: folder)
        var fault: String?
        do throws(Failure) { contexts = try Contexts(folder) } catch {
            // On the night on which the server is named by hand, a broken file of names must not be in the way.
            guard contextOption == nil, option ?? value("GATECTL_SERVER") != nil else { throw error }
            fault = "Contexts are not followed: \(error.message)."
        }
        let (server, origin, context) = try address(
            option,
            contextOption,
            value("GATECTL_SERVER"),
            value("GATECTL_CONTEXT"),
            contexts,
            folder,
            workingDirectory
        )
        var timeout = timeoutOption?.duration ?? .seconds(10)
        if timeoutOption == nil, let text = value("GATECTL_TIMEOUT") {
            guard let span = Span(argument: text) else { throw .usage("GATECTL_TIMEOUT is \(Span.help)") }
            timeout = span.duration
        }
        let (token, tokenOrigin) = try token(for: server, value, folder)
        let own = context.flatMap { contexts[$0]?.ca } ?? (option == nil ? nil : contexts.authorities(of: server))
        let caFile = value("GATECTL_CA_FILE") ?? own ?? value("SSL_CERT_FILE")
        return Settings(
            server: server,
            serverOrigin: origin,
            context: context,
            token: token,
            tokenOrigin: tokenOrigin,
            timeout: timeout,
            caFile: caFile,
            unused: fault ?? value("GATECTL_CONTEXT").flatMap { origin == "GATECTL_SERVER" ? unused($0, server, contexts) : nil }
        )
    }

    /// A sentence about where the next command goes, if not to `server`, whose context has just been made the current one.
    static func followed(insteadOf server: ServerAddress, environment: [String: String], workingDirectory: String) -> String? {
        // Losing an error is safe: the next command reports what is wrong with the settings.
        let settings = try? resolve(context: nil, timeout: nil, environment: environment, workingDirectory: workingDirectory)
        guard let settings, settings.server != server else { return nil }
        return "Commands typed here go to \(settings.server) all the same: \(settings.serverOrigin) takes precedence."
    }

    /// A sentence if the environment names a context besides an address, unless both mean the same server.
    private static func unused(_ name: String, _ server: ServerAddress, _ contexts: Contexts) -> String? {
        guard contexts[name]?.server != server else { return nil }
        return "GATECTL_CONTEXT=\(Style.safe(name)) is not followed: GATECTL_SERVER says \(server). Unset one, or say --context."
    }

    private static func address(
        _ option: String?,
        _ contextOption: String?,
        _ variable: String?,
        _ contextVariable: String?,
        _ contexts: Contexts,
        _ folder: SettingsFolder,
        _ workingDirectory: String
    ) throws(Failure) -> (ServerAddress, origin: String, context: String?) {
        func parsed(_ text: String, _ origin: String) throws(Failure) -> ServerAddress {
            guard let server = ServerAddress(text) else { throw .noAddress(text, from: origin) }
            return server
        }
        func named(_ name: String, _ origin: String) throws(Failure) -> (ServerAddress, origin: String, context: String?) {
            (try contexts.named(name).server, "context \(name) (\(origin))", name)
        }
        if let option { return (try parsed(option, "--server"), "--server", nil) }
        if let contextOption { return try named(contextOption, "--context") }
        if let variable { return (try parsed(variable, "GATECTL_SERVER"), "GATECTL_SERVER", nil) }
        if let contextVariable { return try named(contextVariable, "GATECTL_CONTEXT") }
        if let project = try ProjectFile.find(from: workingDirectory), let name = project.context { return try named(name, project.path) }
        if let current = contexts.current { return try named(current, "\(folder.path)/config.json") }
        throw Failure(
            .notAllowed,
            "no_server",
            "no server is set",
            next: [
                ("next", "gatectl auth login --server https://gate.example.com"),
                ("or", "gatectl auth login --with-token --server https://gate.example.com < token-file"),
                ("or", "export GATECTL_SERVER=https://gate.example.com GATECTL_TOKEN=gate_…"),
            ]
        )
    }

    /// The environment's token belongs to the environment's server: if both are set and an option names another server, it is not used.
    private static func token(
        for server: ServerAddress,
        _ value: (String) -> String?,
        _ folder: SettingsFolder
    ) throws(Failure) -> (BearerToken?, origin: String?) {
        let belongs = value("GATECTL_SERVER").flatMap(ServerAddress.init).map { $0 == server } ?? true
        if belongs, let text = value("GATECTL_TOKEN") {
            guard let token = BearerToken(text) else { throw .usage("GATECTL_TOKEN holds characters that no token has") }
            return (token, "GATECTL_TOKEN")
        }
        if belongs, let file = value("GATECTL_TOKEN_FILE") {
            let bytes: [UInt8]
            do { bytes = try FileSystem.read(file) } catch {
                throw Failure(.notAllowed, "no_token", "the file that GATECTL_TOKEN_FILE names cannot be read: \(file)")
            }
            guard let token = BearerToken(String(decoding: bytes, as: UTF8.self)) else {
                throw .usage("\(file) (GATECTL_TOKEN_FILE) holds no token")
            }
            return (token, "GATECTL_TOKEN_FILE")
        }
        let credentials = Credentials(folder)
        let token = try credentials.token(for: server)
        return (token, token == nil ? nil : credentials.path)
    }
}
