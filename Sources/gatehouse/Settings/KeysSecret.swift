import ArgumentParser
import Foundation
import GateCrypto
import GateJSON
import GateStore
import Synchronization

/// The secret that servers of one database share their keys with: from the environment, or from a file that only its owner can read. Never
/// on the command line, where everybody on the machine could read it, and never in a message.
final class KeysSecret: Sendable {
    static let variable = "GATEHOUSE_KEYS_SECRET"
    static let option = "--keys-secret-file"
    private static let remedy = "Make one with gatehouse keys secret, the same for all servers of the database."
    /// The most bytes of a file; a secret has 43 characters.
    private static let mostBytes = 4_096

    private let text: Mutex<[UInt8]>

    private init(text: [UInt8]) { self.text = Mutex(text) }

    /// The characters, which the caller has to overwrite; nothing is left here.
    private func taken() -> [UInt8] {
        text.withLock { text in
            defer { text = [] }
            return text
        }
    }

    /// Takes the secret out of the environment of this process: afterwards neither what the kernel shows of it nor what a child is started
    /// with has the secret. To be called first, and by one thread.
    /// - Returns: nil where there is none. An empty variable counts as not set, as for every other variable.
    static func taken() -> KeysSecret? {
        guard let characters = getenv(variable) else { return nil }
        let count = strlen(characters)
        let text = (0..<count).map { UInt8(bitPattern: characters[$0]) }
        // Overwritten where the kernel put it when the process was started.
        for index in 0..<count { characters[index] = 0 }
        unsetenv(variable)
        return text.isEmpty ? nil : KeysSecret(text: text)
    }

    /// - Parameters:
    ///   - given: the secret from the environment.
    ///   - file: the file named by the option, its variable or the configuration file.
    /// - Returns: nil where there is no secret: then each folder has its own keys.
    /// - Throws: a validation error that says what to do, and nothing of the secret.
    static func sharing(_ given: KeysSecret?, file: String?, database: DatabaseServer?) throws -> KeySharing? {
        let source: String
        var text: [UInt8]
        switch (given, file) {
        case (nil, nil): return nil
        case (.some, .some):
            throw ValidationError("The secret of the keys is in \(variable) and in the file of \(option); give one of them.")
        case (let given?, nil): (source, text) = (variable, given.taken())
        case (nil, let file?): (source, text) = (file, try read(file))
        }
        defer { SharedSecret.wipe(&text) }
        guard database != nil else {
            throw ValidationError(
                "\(file == nil ? variable : option) is for servers that share a database of PostgreSQL, but the database of a data folder belongs to one server: name the shared one with --database, or leave the secret out."
            )
        }
        do throws(SharedSecret.Fault) { return KeySharing(try SharedSecret(text)) } catch {
            let fault =
                switch error {
                case .malformed: "is neither Base64url nor hexadecimal digits"
                case .short: "has fewer than \(SharedSecret.leastByteCount) bytes"
                case .weak: "is not random"
                }
            throw ValidationError("The secret of the keys in \(source) \(fault). \(remedy)")
        }
    }

    /// - Throws: for a file that cannot be read, or that others can read.
    private static func read(_ path: String) throws -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw ValidationError("\(option): \(path) cannot be read: \(String(cString: strerror(errno))). \(remedy)") }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= mostBytes else {
            throw ValidationError("\(option): \(path) is not a file with a secret. \(remedy)")
        }
        // systemd gives a unit its credentials by an access list, whose mask is shown in place of the group's rights.
        let credentials = ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"]
        let isCredential = credentials.map { !$0.isEmpty && path.hasPrefix($0 + "/") && !path.contains("/../") } ?? false
        guard status.st_mode & (isCredential ? 0o037 : 0o077) == 0 else {
            throw ValidationError(
                "\(path) holds the secret of the keys, and users other than its owner can read it. Run chmod 600 \(path.asShellWord), and make another secret if somebody may have read it."
            )
        }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw ValidationError("\(path) holds the secret of the keys and belongs to another user. Run chown on it.")
        }
        var bytes = [UInt8](repeating: 0, count: mostBytes)
        defer { SharedSecret.wipe(&bytes) }
        let count = bytes.withUnsafeMutableBytes { Foundation.read(file, $0.baseAddress, $0.count) }
        guard count >= 0 else { throw ValidationError("\(option): \(path) cannot be read: \(String(cString: strerror(errno))).") }
        return Array(bytes.prefix(count))
    }
}

/// The secret for the commands that open the database as a server does.
struct KeysSecretOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The secret that the servers of the database share their keys with, also as GATEHOUSE_KEYS_SECRET_FILE; see gatehouse keys secret.",
            valueName: "file"
        )
    )
    var keysSecretFile: String?

    /// - Parameter secret: the result of ``KeysSecret/taken()``.
    func sharing(_ secret: KeysSecret?, _ database: DatabaseServer?) throws -> KeySharing? {
        let variable = ProcessInfo.processInfo.environment[OptionSources.variable("keys-secret-file")]
        return try KeysSecret.sharing(secret, file: keysSecretFile ?? variable.flatMap { $0.isEmpty ? nil : $0 }, database: database)
    }
}
