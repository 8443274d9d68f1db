/// Writes a secret to a file of one line that only its owner may read.
package enum SecretFile {
    /// Writes it to a new file.
    /// - Throws: ``StoreError/Code/duplicate`` when the file already exists; the file system's error.
    package static func make(_ path: String, holding secret: String) throws(StoreError) {
        guard !DataDirectory.exists(path) else {
            throw StoreError(.duplicate, "\(path) already exists, and is left as it is", hint: "Name another file with --out.")
        }
        let file = try OpenFile(making: path, doing: "Writing the secret")
        try file.write(Array((secret + "\n").utf8))
        try file.sync()
    }
}
