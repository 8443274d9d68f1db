package import GateCrypto

/// The private half of the key that backups are encrypted to, as a file with one line. It is kept by whoever restores, not on the server.
package enum BackupKeyFile {
    /// Writes a new key to a new file, private to its owner.
    /// - Throws: ``StoreError/Code/duplicate`` when the file already exists; the file system's error.
    package static func make(_ path: String, random: RandomSource = .system) throws(StoreError) -> SealingKey {
        let doing = "Writing the key for backups"
        var key = OpeningKey(random: random)
        // A key that begins with a hyphen would be taken for an option.
        while key.sealingKey.text.hasPrefix("-") { key = OpeningKey(random: random) }
        let file = try OpenFile(making: path, doing: doing)
        try file.write(Array((key.secretText + "\n").utf8))
        try file.sync()
        return key.sealingKey
    }

    /// - Throws: ``StoreError/Code/keyMissing`` when the file is missing or holds no key.
    package static func read(_ path: String) throws(StoreError) -> OpeningKey {
        let bytes: [UInt8]?
        do throws(StoreError) { bytes = try DurableFile.read(path, mayWait: true, doing: "Reading the key for backups") } catch
            where error.code == .unreadable
        {
            throw error.about(path, "Name a key file that the user of this command may read: give that user the file, or a copy of it.")
        }
        let text = bytes.map { String(decoding: $0, as: UTF8.self).split(whereSeparator: \.isWhitespace).joined() }
        guard let key = text.flatMap({ OpeningKey($0) }) else {
            throw StoreError(
                .keyMissing,
                bytes == nil ? "There is no \(path)" : "\(path) holds no key",
                hint: "Name the file that gatehouse backup-key made with --key."
            )
        }
        return key
    }
}
