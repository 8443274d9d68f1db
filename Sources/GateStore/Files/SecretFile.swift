/// Writes a secret to a file of one line that only its owner may read.
package enum SecretFile {
    /// Writes it to a new file.
    /// - Throws: ``StoreError/Code/duplicate`` when the file already exists; the file system's error.
    package static func make(_ path: String, holding secret: String) throws(StoreError) {
        let file = try OpenFile(making: path, doing: "Writing the secret")
        try file.write(Array((secret + "\n").utf8))
        try file.sync()
    }
}
