package import GateCrypto
import GateStore
import Synchronization

/// Keys kept outside the database, so that a copy of the database does not reveal what they protect: `DIR/keys/`, mode 0700. There is one
/// key for each purpose, so that what was sealed for one is worthless for another.
///
/// Thread-safe. A backup of the database is worth less without this folder: people then have to sign in with recovery codes.
package final class KeyFolder: Sendable {
    private let path: String
    private let dataFolder: String
    private let random: RandomSource
    private let isShared: Bool
    private let boxes = Mutex<[Purpose: SecretBox]>([:])

    /// What a key is for; the raw value is its file name.
    enum Purpose: String {
        /// The secrets of second factors.
        case secondFactors = "totp.key"
        /// The cookies by which browsers are known again; see ``KnownDevice``.
        case devices = "device.key"
    }

    /// - Parameters:
    ///   - dataFolder: DIR, which exists; the folder in it is made when first needed.
    ///   - isShared: whether other servers have the same keys. The keys then exist once the store has been opened, and none is made here.
    package init(dataFolder: String, random: RandomSource, isShared: Bool = false) {
        self.dataFolder = dataFolder
        self.isShared = isShared
        path = dataFolder + "/keys"
        self.random = random
    }

    /// The box that seals and opens for a purpose.
    /// - Parameter create: whether to make the key when it is missing; pass false to open something, because only the original key can.
    /// - Throws: `second_factor_unavailable`, `key_unavailable` (503).
    func box(for purpose: Purpose, create: Bool) throws(ServiceError) -> SecretBox {
        let kept: Result<SecretBox, ServiceError> = boxes.withLock { boxes in
            if let kept = boxes[purpose] { return .success(kept) }
            do throws(ServiceError) {
                let box = try load(purpose, create: create)
                boxes[purpose] = box
                return .success(box)
            } catch { return .failure(error) }
        }
        return try kept.get()
    }

    private func load(_ purpose: Purpose, create: Bool) throws(ServiceError) -> SecretBox {
        do throws(StoreError) {
            return try box(in: path + "/" + purpose.rawValue, create: create)
        } catch {
            throw purpose.unavailable.with(\.underlying, error)
        }
    }

    private func box(in file: String, create: Bool) throws(StoreError) -> SecretBox {
        let (reading, writing) = ("Reading a key", "Writing a key")
        func box(_ key: [UInt8], _ doing: String) throws(StoreError) -> SecretBox {
            guard let box = SecretBox(key: key) else {
                throw StoreError(.corrupt, "\(doing): it does not have the length of a key", hint: Self.hint, operation: doing, path: file)
            }
            return box
        }
        // A key that exists but cannot be read must not be replaced by another.
        if let key = try DurableFile.read(file, doing: reading) { return try box(key, reading) }
        guard create, !isShared else {
            throw StoreError(.notFound, "\(reading): there is none", hint: Self.hint, operation: reading, path: file)
        }
        let key = random.bytes(SecretBox.keyByteCount)
        try DurableFile.makePrivateFolder(path, doing: writing)
        try DurableFile.syncFolder(dataFolder, doing: writing)
        try DurableFile.replace(file, with: key, doing: writing)
        try DurableFile.syncFolder(path, doing: writing)
        return try box(key, writing)
    }

    private static let hint = "Put keys/ back as it was; until then, only recovery codes open accounts with a second factor."
}

extension KeyFolder.Purpose {
    fileprivate var unavailable: ServiceError {
        switch self {
        case .secondFactors:
            ServiceError(
                .unavailable,
                "second_factor_unavailable",
                "The server's key for second factors is missing or cannot be kept; use a recovery code, and see keys/ in its data folder."
            )
        case .devices:
            ServiceError(
                .unavailable,
                "key_unavailable",
                "The server's key for known browsers is missing or cannot be kept; see keys/ in its data folder."
            )
        }
    }
}
