/// A secret as a file with one line, for its owner alone.
package enum SecretFile {
    /// Writes it to a new file.
    /// - Throws: ``StoreError/Code/duplicate`` when there is a file already; the file system's error.
    package static func make(_ path: String, holding secret: String) throws(StoreError) {
        guard !DataDirectory.exists(path) else {
            throw StoreError(.duplicate, "\(path) is there already, and is left as it is", hint: "Name another file with --out.")
        }
        let file = try OpenFile(making: path, doing: "Writing the secret")
        try file.write(Array((secret + "\n").utf8))
        try file.sync()
    }
}
