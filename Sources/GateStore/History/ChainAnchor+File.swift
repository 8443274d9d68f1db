import GateJSON

extension ChainAnchor {
    /// The anchor of a data folder, `anchor.json`; nil when there is none, which is how every data folder begins.
    /// - Throws: the file system's error; ``StoreError/Code/corrupt`` when the file holds no anchor.
    package static func kept(in directory: String) throws(StoreError) -> ChainAnchor? { try read(from: path(in: directory)) }

    /// Whether it knows of anything after these last links.
    func isAhead(of heads: ChainAnchor) -> Bool {
        changes.sequence > heads.changes.sequence || (audit?.sequence ?? 0) > (heads.audit?.sequence ?? 0)
    }

    package static func path(in directory: String) -> String { directory + "/anchor.json" }

    /// The anchor of a file; nil when there is no such file.
    /// - Parameter mayWait: whether it may be a pipe, as where a command reads it from another machine.
    /// - Throws: as ``kept(in:)``.
    package static func read(from path: String, mayWait: Bool = false) throws(StoreError) -> ChainAnchor? {
        guard let bytes = try DurableFile.read(path, mayWait: mayWait, doing: "Reading the anchor") else { return nil }
        do { return try ChainAnchor(json: JSONReader.read(bytes)) } catch {
            throw StoreError(.corrupt, "\(path) holds no anchor: \(error)")
        }
    }

    /// Writes it to a file that only its owner can read, replacing the previous one.
    /// - Parameters:
    ///   - mayWait: whether the caller has the time to wait for whatever takes it, as for
    ///     ``DurableFile/replace(_:with:ownedAs:mayWait:doing:)``.
    ///   - doing: the start of a sentence for the error.
    package func write(to path: String, mayWait: Bool = false, doing: String) throws(StoreError) {
        try DurableFile.replace(path, with: json.bytes + [0x0A], mayWait: mayWait, doing: doing)
    }
}
