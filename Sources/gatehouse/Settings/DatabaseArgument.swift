import ArgumentParser
import Foundation
import GateJSON
import GateStore

/// `--database`: on the command line, as `GATEHOUSE_DATABASE`, and for `serve` also in the configuration file. It may hold a password where
/// nobody else can read it, so only the server and database that it names are ever shown.
enum DatabaseArgument {
    static let variable = OptionSources.variable("database")

    /// - Parameters:
    ///   - given: the command line's value, which takes precedence over the variable.
    /// - Returns: nil where neither names one, and the database is the data folder's own.
    /// - Throws: a validation error that says what to do, in words that repeat nothing of the URL.
    static func server(given: String?, variables: [String: String] = ProcessInfo.processInfo.environment) throws -> DatabaseServer? {
        if let given { return try fromCommandLine(given) }
        // An empty variable counts as not set, as for every other variable.
        return try variables[variable].flatMap { $0.isEmpty ? nil : $0 }.map { try parsed($0, from: variable) }
    }

    static func server(_ sources: OptionSources) throws -> DatabaseServer? {
        guard let (text, source) = sources.origin(of: "database") else { return nil }
        switch source {
        case .commandLine: return try fromCommandLine(text)
        case .environment: return try parsed(text, from: variable)
        case .file(let path):
            let server = try parsed(text, from: "\"database\" in \(path)")
            guard !server.holdsPassword || isPrivate(path) else {
                throw ValidationError(
                    "\(path) holds a password of the database, and users other than its owner can read it. Run chmod 600 \(path.asShellWord), and change the password if somebody may have read it."
                )
            }
            return server
        }
    }

    /// For the commands for which PostgreSQL has tools of its own.
    /// - Parameter instead: what to do instead, as sentences.
    static func refuse(given: String?, instead: String, variables: [String: String] = ProcessInfo.processInfo.environment) throws {
        guard let server = try server(given: given, variables: variables) else { return }
        throw ValidationError("This works on the database of a data folder, and the \(server) is PostgreSQL's. \(instead)")
    }

    /// - Throws: as ``server(given:variables:)``, and also for a password, which others would see.
    static func fromCommandLine(_ url: String, option: String = "--database") throws -> DatabaseServer {
        let server = try parsed(url, from: option)
        guard !server.holdsPassword else {
            let alternative = option == "--database" ? " Or give the whole URL as \(variable)." : ""
            throw ValidationError(
                "\(option) holds a password, which everybody on this machine can see in the list of processes. Leave it out, and give it in one of libpq's ways: PGPASSFILE names a file that only its owner can read, PGPASSWORD is the password.\(alternative)"
            )
        }
        return server
    }

    private static func parsed(_ url: String, from source: String) throws -> DatabaseServer {
        do throws(StoreError) { return try DatabaseServer(url) } catch {
            throw ValidationError("\(source): \(error.detail). \(error.hint)")
        }
    }

    private static func isPrivate(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & 0o077 == 0
    }
}

/// `--database` of the commands that work on a stopped server's database.
struct DatabaseOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The PostgreSQL database that the server uses instead of the folder's own, also as \(DatabaseArgument.variable); give a password with PGPASSFILE or PGPASSWORD.",
            valueName: "postgresql://..."
        )
    )
    var database: String?

    func server() throws -> DatabaseServer? { try DatabaseArgument.server(given: database) }
}

/// `--database` of the commands that do not work with PostgreSQL, so that whoever tries is told what does.
struct NoDatabaseOption: ParsableArguments {
    @Option(help: .hidden)
    var database: String?

    func refuse(instead: String) throws { try DatabaseArgument.refuse(given: database, instead: instead) }
}
