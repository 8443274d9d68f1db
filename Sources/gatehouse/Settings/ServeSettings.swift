import ArgumentParser
import Foundation
import GateJSON
import GateModel
import GateServer
import GateService
import GateStore
import ObjectStore

/// Everything `gatehouse serve` was told, read and checked.
struct ServeSettings {
    let data: String
    /// Nil where the database is the data folder's own.
    let database: DatabaseServer?
    /// How ``data``'s keys are shared with the other servers of ``database``; nil where they are only this server's.
    let sharing: KeySharing?
    /// What this server is called among those that share its database.
    let serverName: String
    let admin: ListenAddress
    let feeds: ListenAddress
    let publicFolder: String
    let migrations: String
    let environment: GateModel.Environment
    /// The share of polls that a change of a version rule may shut out before it counts as more dangerous, 0 to 1.
    let wideShare: Double
    let tls: (certificate: String, key: String)?
    /// The files that ``tls`` was read from.
    let tlsFiles: (certificate: String, key: String)?
    /// Whether an older database is brought to this version's schema at the start.
    let migrates: Bool
    /// The first is the dashboard's, for its links and its cookies.
    let origins: [String]
    var origin: String? { origins.first }
    let proxies: TrustedProxies
    /// How the proxy says who is signed in; nil where no proxy is believed.
    let proxySignIn: ProxySignIn?
    /// Where a copy of `anchor.json` goes.
    let anchorCopy: String?
    /// Nil where no backups are kept.
    let backups: BackupPlan?
    /// Where feeds are published beside this server; nil for nowhere.
    let bucket: BucketAddress?
    /// Variables of the environment that have no effect.
    let unknownVariables: [UnknownVariable]

    /// - Parameter secret: the secret from the environment; see ``KeysSecret``.
    init(_ sources: OptionSources, secret: KeysSecret? = nil) throws {
        data = sources.value("data") ?? DataFolder.standard
        database = try DatabaseArgument.server(sources)
        sharing = try KeysSecret.sharing(secret, file: sources.value("keys-secret-file"), database: database)
        serverName = try sources.value("server-name").map(Self.serverName) ?? Self.machineName
        admin = try ListenAddress(sources.value("listen") ?? "127.0.0.1:8080", option: "--listen")
        feeds = try ListenAddress(sources.value("feeds") ?? "0.0.0.0:8081", option: "--feeds")
        publicFolder = try ShippedFolder.find("Public", given: sources.value("public"), option: "--public")
        migrations = try ShippedFolder.find("Migrations", given: sources.value("migrations"), option: "--migrations")
        let name = sources.value("environment") ?? "development"
        guard (1...40).contains(name.count), name.allSatisfy({ $0.isLetter || $0.isNumber || " -_.".contains($0) }) else {
            throw ValidationError("--environment is a name of up to 40 letters, digits, spaces, hyphens, dots and underscores.")
        }
        environment = GateModel.Environment(
            name: name,
            colour: try Self.colour(sources.value("environment-colour"), of: name),
            isProtected: try sources.flag("protected")
        )
        wideShare = try Self.share(sources.value("blast-radius") ?? "25%")
        switch (sources.value("tls-certificate"), sources.value("tls-key")) {
        case (nil, nil): (tls, tlsFiles) = (nil, nil)
        case (let certificate?, let key?):
            tls = (try Self.text(of: certificate), try Self.text(of: key))
            tlsFiles = (certificate, key)
        default: throw ValidationError("--tls-certificate and --tls-key belong together; give both.")
        }
        migrates = try sources.flag("migrate")
        anchorCopy = sources.value("anchor-copy")
        backups = try BackupPlan(sources, data: data, database: database)
        bucket = try Self.bucket(sources)
        unknownVariables = sources.unknownVariables
        origins = try sources.list("origin").map(Self.origin)
        do { proxies = try TrustedProxies(sources.list("trusted-proxy")) } catch { throw ValidationError("--trusted-proxy: \(error)") }
        proxySignIn = try Self.proxySignIn(sources, proxies)
    }

    private static func serverName(_ text: String) throws -> String {
        guard isServerName(text) else {
            throw ValidationError("--server-name is a name of up to 64 letters, digits, hyphens, dots, colons and underscores.")
        }
        return text
    }

    private static func isServerName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.:".contains($0)) }
    }

    /// The machine's own name for itself, found without a name server.
    private static var machineName: String {
        var bytes = [CChar](repeating: 0, count: 65)
        let name =
            gethostname(&bytes, 64) == 0 ? String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) : ""
        return isServerName(name) ? name : "server"
    }

    private static func proxySignIn(_ sources: OptionSources, _ proxies: TrustedProxies) throws -> ProxySignIn? {
        guard let header = sources.value("sign-in-header") else {
            // Somebody who gives one of these means to be behind a proxy that signs people in, and otherwise would not be.
            for name in ["sign-in-groups", "sign-in-groups-header", "sign-in-time-header", "sign-out-url"] where sources.value(name) != nil
            {
                throw ValidationError("--\(name) belongs to --sign-in-header, which is missing; give both or neither.")
            }
            return nil
        }
        let groups: SignInGroups
        if let path = sources.value("sign-in-groups") {
            do { groups = try SignInGroups(text(of: path)) } catch let error as SignInGroups.BadLine {
                throw ValidationError("--sign-in-groups: \(path), \(error).")
            }
        } else {
            guard sources.value("sign-in-groups-header") == nil else {
                throw ValidationError(
                    "--sign-in-groups-header brings groups, but nothing says what they may do: give --sign-in-groups, a file with a line for each: GROUP ROLE [APPS]."
                )
            }
            groups = .everybodyLooks
        }
        do {
            return try ProxySignIn(
                header: header,
                groupsHeader: sources.value("sign-in-groups-header"),
                timeHeader: sources.value("sign-in-time-header"),
                groups: groups,
                signOutURL: sources.value("sign-out-url"),
                proxies: proxies
            )
        } catch { throw ValidationError(error.description) }
    }

    /// What the files of certificate and key hold now.
    /// - Throws: an error that names the file that cannot be read.
    func certificateNow() throws -> (certificate: String, key: String)? {
        try tlsFiles.map { (try Self.text(of: $0.certificate), try Self.text(of: $0.key)) }
    }

    /// The colours that the dashboard has a token for.
    private static func colour(_ given: String?, of name: String) throws -> String {
        let known = ["production", "staging", "development"]
        if let given {
            guard known.contains(given) else { throw ValidationError("--environment-colour is one of \(known.joined(separator: ", ")).") }
            return given
        }
        return known.first { name.lowercased().hasPrefix($0.prefix(4)) } ?? "development"
    }

    /// `25%`, or `25`: whole percent.
    private static func share(_ text: String) throws -> Double {
        let digits = text.hasSuffix("%") ? text.dropLast() : text[...]
        guard digits.utf8.allSatisfy(\.isASCIIDigit), let percent = Int(digits), percent <= 100
        else {
            throw ValidationError("--blast-radius is a share of the polls from 0% to 100%, such as 25%, not \"\(text)\".")
        }
        return Double(percent) / 100
    }

    private static func bucket(_ sources: OptionSources) throws -> BucketAddress? {
        guard let text = sources.value("publish") else {
            guard sources.value("publish-endpoint") == nil else {
                throw ValidationError(
                    "--publish-endpoint says where the object store is; name the bucket with --publish s3://bucket/prefix."
                )
            }
            return nil
        }
        let region = ObjectStoreCredentials.region(environment: ProcessInfo.processInfo.environment)
        do throws(ObjectStoreError) {
            return try BucketAddress(text, endpoint: sources.value("publish-endpoint"), region: region)
        } catch { throw ValidationError("--publish: \(error.detail)") }
    }

    private static func text(of path: String) throws -> String {
        guard let data = FileManager.default.contents(atPath: path), let text = String(data: data, encoding: .utf8) else {
            throw ValidationError("\(path) cannot be read.")
        }
        return text
    }

    /// As browsers write it in `Origin` (RFC 6454 section 6): scheme and host in lower case, and no port that is the scheme's default.
    private static func origin(_ text: String) throws -> String {
        guard let components = URLComponents(string: text), let scheme = components.scheme?.lowercased(),
            ["http", "https"].contains(scheme),
            let host = components.encodedHost?.lowercased(), !host.isEmpty,
            components.path.isEmpty || components.path == "/", components.query == nil, components.fragment == nil, components.user == nil
        else { throw ValidationError("--origin is an address without a path, such as https://gate.example.com, not \"\(text)\".") }
        let port = components.port.flatMap { $0 == (scheme == "https" ? 443 : 80) ? nil : ":\($0)" } ?? ""
        return "\(scheme)://\(host)\(port)"
    }
}

/// Where a listener listens: `127.0.0.1:8080`, `[::1]:8080`.
struct ListenAddress {
    let address: String
    let port: UInt16

    init(_ text: String, option: String) throws {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            throw ValidationError("\(option) is an address and a port, such as 127.0.0.1:8080, not \"\(text)\".")
        }
        var address = String(text[..<colon])
        if address.hasPrefix("["), address.hasSuffix("]") { address = String(address.dropFirst().dropLast()) }
        if address == "localhost" { address = "127.0.0.1" }
        self.address = address
        self.port = port
    }
}

/// The data folder when none is named, by the XDG base directory specification.
enum DataFolder {
    static var standard: String {
        let variables = ProcessInfo.processInfo.environment
        if let home = variables["XDG_DATA_HOME"], home.hasPrefix("/") { return home + "/gatehouse" }
        return FileManager.default.homeDirectoryForCurrentUser.path + "/.local/share/gatehouse"
    }
}

/// A folder that comes with the program, outside its binary.
enum ShippedFolder {
    /// The given path, or else that of the option's variable, or `./NAME`, or one beside the executable, or `../share/gatehouse/NAME`.
    static func find(_ name: String, given: String?, option: String) throws -> String {
        if let named = OptionSources.environment(String(option.dropFirst(2)), given: given) {
            guard isFolder(named) else { throw ValidationError("\(option) names \(named), which is not a folder.") }
            return named
        }
        let executable = URL(fileURLWithPath: Bundle.main.executablePath ?? CommandLine.arguments[0]).resolvingSymlinksInPath()
        let beside = executable.deletingLastPathComponent()
        let places = [
            name, beside.appendingPathComponent(name).path,
            beside.deletingLastPathComponent().appendingPathComponent("share/gatehouse/\(name)").path,
        ]
        guard let found = places.first(where: isFolder) else {
            throw ValidationError("There is no folder \(name) here or beside the program; name it with \(option).")
        }
        return found
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
