#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The files of a folder as they were when this was made, by request path. Requests never reach the file system, so nothing in a
/// URL can: what is not in the map does not exist.
package struct StaticFiles: Sendable {
    /// `/app.js` and so on; `/` is `/index.html`, and `/docs/` is `/docs/index.html`.
    package let files: PathMap<PreparedResponse>
    /// What in the folder is not served, and why: one sentence each, for the log.
    package let skipped: [String]

    /// The first part of lasting addresses: `/static/{digest of all files}/app.js`.
    static let lasting = "/static/"

    /// No dashboard file comes near this size; a larger file was left in the folder by mistake.
    private static let maximumFileBytes = 8 << 20
    private static let maximumDepth = 16

    /// Reads the folder. Symbolic links in it are not followed and not served (the folder itself may be one), nor are names that begin
    /// with a dot, names a URL would have to escape, or files of a kind that `ContentType` does not know.
    /// - Parameters:
    ///   - folder: its path.
    ///   - headers: added to every file's `Content-Type` and `ETag`.
    ///   - pages: the same for HTML; nil where HTML gets `headers` too.
    ///   - lasting: the same for files under an address that carries a digest of all of them, which the pages' own references are changed
    ///     to; nil for no such addresses.
    ///   - etag: makes the opaque tag from a file's bytes; a hash, so that the tag changes exactly when the file does.
    /// - Throws: `StaticFilesError` when the folder or a file that should be served cannot be read.
    package init(
        folder: String,
        headers: HTTPHeaders,
        pages: HTTPHeaders? = nil,
        lasting: HTTPHeaders? = nil,
        etag: ([UInt8]) -> String
    ) throws(StaticFilesError) {
        var reader = Reader()
        try reader.read(open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), at: folder, path: "/", depth: 0)
        var files = PathMap<PreparedResponse>()
        // Names count too: a file that was moved is a different file.
        let release = lasting.map { _ in etag(reader.found.flatMap { Array($0.path.utf8) + [0] + Array(etag($0.bytes).utf8) + [0] }) }
        let names = Set(reader.found.map(\.path))
        for (path, type, bytes) in reader.found {
            func response(_ bytes: [UInt8], _ headers: HTTPHeaders) -> PreparedResponse {
                var headers = headers
                headers.set("Content-Type", type)
                return PreparedResponse(body: bytes, etag: etag(bytes), headers: headers)
            }
            let isPage = path.hasSuffix(".html")
            if let lasting, let release, !isPage { files[Self.lasting + release + path] = response(bytes, lasting) }
            let page = isPage ? release.map { Self.turned(bytes, to: Self.lasting + $0, names) } : nil
            let response = response(page ?? bytes, isPage ? pages ?? headers : headers)
            files[path] = response
            if path.hasSuffix("/index.html") { files[String(path.dropLast("index.html".count))] = response }
        }
        self.files = files
        skipped = reader.skipped
    }

    /// The file at a path. A lasting address of another release, which a page opened before an upgrade still asks for, gets this release's
    /// file, without the promise that it lasts.
    package func response(at path: UnsafeRawBufferPointer) -> PreparedResponse? {
        if let response = files[path] { return response }
        guard path.starts(with: Self.lasting.utf8) else { return nil }
        let rest = path.dropFirst(Self.lasting.utf8.count).drop { $0 != UInt8(ascii: "/") }
        return rest.isEmpty ? nil : files[UnsafeRawBufferPointer(rebasing: rest)]
    }

    /// A page with its references to files of the folder changed to their lasting addresses.
    private static func turned(_ page: [UInt8], to base: String, _ names: Set<String>) -> [UInt8] {
        let text = String(decoding: page, as: UTF8.self)
        return Array(
            text.replacing(/(?<attribute>href|src)="(?<name>[A-Za-z0-9._~\/-]+)"/) { match in
                let name = "/" + match.name
                return names.contains(name) ? "\(match.attribute)=\"\(base)\(name)\"" : String(match.0)
            }.utf8
        )
    }

    private struct Reader {
        var found: [(path: String, type: String, bytes: [UInt8])] = []
        var skipped: [String] = []

        /// Takes over the descriptor of an opened folder.
        mutating func read(_ descriptor: Int32, at place: String, path: String, depth: Int) throws(StaticFilesError) {
            guard descriptor >= 0 else { throw StaticFilesError(path: place, errno: errno) }
            guard let folder = fdopendir(descriptor) else {
                defer { close(descriptor) }
                throw StaticFilesError(path: place, errno: errno)
            }
            defer { closedir(folder) }
            for name in try names(in: folder, at: place) {
                try read(name, in: descriptor, at: place, path: path, depth: depth)
            }
        }

        /// Sorted, so that faults and skipped files are reported in the same order on every machine.
        private func names(in folder: OpaquePointer, at place: String) throws(StaticFilesError) -> [String] {
            var names: [String] = []
            while true {
                errno = 0
                guard let entry = readdir(folder) else {
                    if errno != 0 { throw StaticFilesError(path: place, errno: errno) }
                    return names.sorted()
                }
                let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                    tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                if name != "." && name != ".." { names.append(name) }
            }
        }

        private mutating func read(
            _ name: String,
            in folder: Int32,
            at place: String,
            path: String,
            depth: Int
        ) throws(StaticFilesError) {
            let file = "\(place)/\(name)"
            guard name.utf8.allSatisfy(ASCII.isUnreserved), !name.hasPrefix(".") else {
                return skipped.append("\(file): the name is hidden, or needs escaping in a URL")
            }
            // O_NONBLOCK: opening a FIFO that lies in the folder must not wait for its writer.
            let descriptor = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            if descriptor < 0 && errno == ELOOP { return skipped.append("\(file): a symbolic link") }
            guard descriptor >= 0 else { throw StaticFilesError(path: file, errno: errno) }
            var status = stat()
            guard fstat(descriptor, &status) == 0 else {
                defer { close(descriptor) }
                throw StaticFilesError(path: file, errno: errno)
            }
            if status.st_mode & S_IFMT == S_IFDIR {
                guard depth < StaticFiles.maximumDepth else {
                    close(descriptor)
                    return skipped.append("\(file): deeper than \(StaticFiles.maximumDepth) folders")
                }
                return try read(descriptor, at: file, path: "\(path)\(name)/", depth: depth + 1)
            }
            defer { close(descriptor) }
            guard status.st_mode & S_IFMT == S_IFREG else { return skipped.append("\(file): neither file nor folder") }
            guard let type = ContentType.ofFile(named: name) else { return skipped.append("\(file): not a kind of file that is served") }
            guard status.st_size <= StaticFiles.maximumFileBytes else {
                return skipped.append("\(file): larger than \(StaticFiles.maximumFileBytes) bytes")
            }
            found.append((path + name, type, try contents(of: descriptor, size: Int(status.st_size), at: file)))
        }

        private func contents(of descriptor: Int32, size: Int, at file: String) throws(StaticFilesError) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: size)
            var filled = 0
            while filled < size {
                let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress! + filled, size - filled, off_t(filled)) }
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { throw StaticFilesError(path: file, errno: count == 0 ? EIO : errno) }
                filled += count
            }
            return bytes
        }
    }
}

/// A folder or file of the dashboard that could not be read.
package struct StaticFilesError: Error, Equatable, CustomStringConvertible {
    package let path: String
    /// The system's error number.
    package let errno: Int32

    package var description: String {
        "cannot read \(path): \(String(cString: strerror(errno)))"
    }
}
