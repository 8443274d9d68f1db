import Foundation
package import GateCrypto
import GateStore
import Synchronization

/// Keys that are no part of the database, so that a copy of it tells nothing that they guard: `DIR/keys/`, mode 0700.
///
/// Thread-safe. A backup of the database is worth less without this folder: people sign in with recovery codes then.
package final class KeyFolder: Sendable {
    private let path: String
    private let dataFolder: String
    private let random: RandomSource
    private let totp = Mutex<SecretBox?>(nil)

    /// - Parameter dataFolder: DIR, which is there; the folder in it is made at first need.
    package init(dataFolder: String, random: RandomSource) {
        self.dataFolder = dataFolder
        path = dataFolder + "/keys"
        self.random = random
    }

    /// What seals the secrets of second factors.
    /// - Parameter create: whether to make the key when there is none; without it nothing that was sealed can be opened, and none is made.
    /// - Throws: `second_factor_unavailable` (503).
    func totpBox(create: Bool) throws(ServiceError) -> SecretBox {
        let kept: Result<SecretBox, ServiceError> = totp.withLock { kept in
            if let kept { return .success(kept) }
            do throws(ServiceError) {
                let box = try load("totp.key", create: create)
                kept = box
                return .success(box)
            } catch { return .failure(error) }
        }
        return try kept.get()
    }

    private func load(_ name: String, create: Bool) throws(ServiceError) -> SecretBox {
        let file = path + "/" + name
        let refusal = ServiceError(
            .unavailable,
            "second_factor_unavailable",
            "The server's key for second factors is missing or cannot be kept; use a recovery code, and see keys/ in its data folder."
        )
        if let bytes = FileManager.default.contents(atPath: file) {
            guard let box = SecretBox(key: Array(bytes)) else { throw refusal }
            return box
        }
        // A key that is there and cannot be read must not be replaced by another.
        guard create, access(file, F_OK) != 0, errno == ENOENT else { throw refusal }
        let key = random.bytes(SecretBox.keyByteCount)
        do {
            try makeFolder()
            try DurableFile.replace(file, with: key)
            try DurableFile.syncFolder(path)
        } catch { throw refusal }
        guard let box = SecretBox(key: key) else { throw refusal }
        return box
    }

    private func makeFolder() throws {
        try DurableFile.makePrivateFolder(path)
        try DurableFile.syncFolder(dataFolder)
    }
}
