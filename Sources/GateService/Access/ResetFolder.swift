package import GateCrypto
import GateJSON
package import GateStore

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Where a shell on the server's own machine leaves a new password for a running server: `DIR/requests/`, mode 0700.
///
/// Whoever can write there can also do anything to the database, so the folder's permissions are proof enough. A request lies there for a
/// second at most, and holds the password's hash, never the password.
package struct ResetFolder: Sendable {
    private let dataFolder: String
    private let path: String

    /// - Parameter dataFolder: DIR, which exists.
    package init(dataFolder: String) {
        self.dataFolder = dataFolder
        path = dataFolder + "/requests"
    }

    /// A password to set.
    package struct Reset: Sendable {
        let username: String
        let hash: PasswordHash
        let clearsTOTP: Bool

        package init(username: String, hash: PasswordHash, clearsTOTP: Bool) {
            self.username = username
            self.hash = hash
            self.clearsTOTP = clearsTOTP
        }

        var json: JSONValue { ["username": .string(username), "hash": .string(hash.text), "clearTOTP": .bool(clearsTOTP)] }

        init?(json: JSONValue) {
            guard let object = json.object, let username = object["username"]?.string, let hash = object["hash"]?.string,
                let clearsTOTP = object["clearTOTP"]?.bool
            else { return nil }
            self.init(username: username, hash: PasswordHash(stored: hash), clearsTOTP: clearsTOTP)
        }
    }

    private static let ending = ".json"
    private static let answer = ".answer"
    /// Seconds after which nobody waits for an answer.
    private static let longestWait = 60
    /// Most bytes of a request.
    private static let mostBytes: off_t = 4_096

    // MARK: The asking side

    /// Leaves a request.
    /// - Returns: its name, for ``takeAnswer(to:)`` and ``withdraw(_:)``.
    package func ask(_ reset: Reset, random: RandomSource) throws(StoreError) -> String {
        let doing = "Leaving a request for the running server"
        try DurableFile.makePrivateFolder(path, ownedAs: dataFolder, doing: doing)
        let name = "reset-\(random.secret())"
        let file = path + "/" + name + Self.ending
        try DurableFile.replace(file, with: reset.json.bytes, ownedAs: dataFolder, doing: doing)
        return name
    }

    /// The server's answer to a request; nil while there is none, empty when it did what was asked.
    package func takeAnswer(to name: String) throws(StoreError) -> String? {
        let file = path + "/" + name + Self.answer
        guard let bytes = try DurableFile.read(file, doing: "Reading the server's answer") else { return nil }
        try DurableFile.remove(file, doing: "Reading the server's answer")
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Takes back a request that nobody answered.
    /// - Returns: whether it was still there; if not, the server has taken it, and carries it out.
    package func withdraw(_ name: String) throws(StoreError) -> Bool {
        try DurableFile.take(path + "/" + name + Self.ending, doing: "Taking a request back")
    }

    // MARK: The server

    /// Carries out the requests; to be called about once a second. Costs one look at the folder when there are none.
    package func carryOut(with access: AccessService) throws(StoreError) {
        guard isTrusted(path, S_IFDIR) else { return }
        let doing = "Carrying out a request of this machine's shell"
        for name in try DurableFile.names(in: path, doing: doing) {
            let file = path + "/" + name
            if name.hasSuffix(Self.answer), isForgotten(file) { try DurableFile.remove(file, doing: doing) }
            guard name.hasSuffix(Self.ending), isTrusted(file, S_IFREG) else { continue }
            guard let bytes = try DurableFile.read(file, doing: doing) else { continue }
            // Removed before it is carried out: a request that cannot be removed would be carried out again every second. Whoever asked may
            // have taken it back at this moment, and been told that nothing was changed.
            guard try DurableFile.take(file, doing: doing) else { continue }
            try DurableFile.replace(
                path + "/" + name.dropLast(Self.ending.count) + Self.answer,
                with: Array(Self.carryOut(bytes, with: access).utf8),
                doing: doing
            )
        }
    }

    private static func carryOut(_ bytes: [UInt8], with access: AccessService) -> String {
        // Why it cannot be read is no news to whoever wrote it.
        guard let json = try? JSONReader.read(bytes, limits: .own), let reset = Reset(json: json) else {
            return "The request cannot be read."
        }
        do throws(ServiceError) {
            try access.resetPassword(username: reset.username, hash: reset.hash, clearTOTP: reset.clearsTOTP, from: .console)
            return ""
        } catch { return error.detail }
    }

    /// Whether it is an answer that nobody waits for any more.
    private func isForgotten(_ file: String) -> Bool {
        var status = stat()
        return lstat(file, &status) == 0 && time(nil) - status.st_mtim.tv_sec > Self.longestWait
    }

    /// Whether the file is of that kind, and only the server's user or root can have written it.
    private func isTrusted(_ path: String, _ kind: mode_t) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == kind, status.st_mode & 0o077 == 0 else { return false }
        return (status.st_uid == geteuid() || status.st_uid == 0) && (kind == S_IFDIR || status.st_size <= Self.mostBytes)
    }
}
