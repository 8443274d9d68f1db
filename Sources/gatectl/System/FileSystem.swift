#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Files by path, without Foundation, which takes longer to load than a command takes to run.
enum FileSystem {
    /// A failed system call.
    struct Fault: Error {
        /// `errno`.
        let number: Int32

        /// In the system's words: `No such file or directory`.
        var words: String { String(cString: strerror(number)) }
    }

    private static func check(_ result: Int32) throws(Fault) { if result < 0 { throw Fault(number: errno) } }

    /// The path from the root, without links; nil when nothing is there.
    static func absolutePath(_ path: String) -> String? {
        guard let whole = realpath(path, nil) else { return nil }
        defer { free(whole) }
        return String(cString: whole)
    }

    /// Reads a whole file.
    static func read(_ path: String) throws(Fault) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        try check(descriptor)
        // An error is safe to lose: the file was only read.
        defer { close(descriptor) }
        return try read(descriptor)
    }

    /// More than any file that gatectl reads: an export has at most an eighth of this. What has no end, such as `/dev/zero`, would take all
    /// memory.
    static let maximumFileBytes = 64 << 20

    /// Reads everything up to the end.
    /// - Throws: EFBIG if there is more than ``maximumFileBytes``.
    static func read(_ descriptor: Int32) throws(Fault) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = piece.withUnsafeMutableBytes { Self.uninterrupted(descriptor, $0) }
            guard count != 0 else { return bytes }
            guard count > 0 else { throw Fault(number: errno) }
            guard bytes.count + count <= maximumFileBytes else { throw Fault(number: EFBIG) }
            bytes += piece[..<count]
        }
    }

    private static func uninterrupted(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            #if canImport(Glibc)
                let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            #else
                let count = Darwin.read(descriptor, buffer.baseAddress, buffer.count)
            #endif
            if count >= 0 || errno != EINTR { return count }
        }
    }

    /// Writes all of the bytes.
    static func write(_ bytes: [UInt8], to descriptor: Int32) throws(Fault) {
        let isWritten = bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = UnsafeRawBufferPointer(rebasing: rest)
                #if canImport(Glibc)
                    let count = Glibc.write(descriptor, piece.baseAddress, piece.count)
                #else
                    let count = Darwin.write(descriptor, piece.baseAddress, piece.count)
                #endif
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
        if !isWritten { throw Fault(number: errno) }
    }

    /// Writes a file in one step, replacing any that is there: nobody ever reads half of it. It is on disk when this returns.
    ///
    /// Of symbolic links the last one's target is replaced, and the links stay. What is there and no file, such as a pipe or a device, is
    /// written into, as a shell's `>` does: replaced, it would be lost for everybody else. Opening a pipe waits for its reader.
    /// - Parameter mode: the file's mode, from the moment it exists.
    static func replace(_ path: String, with bytes: [UInt8], mode: mode_t) throws(Fault) {
        let place = try end(ofLinksFrom: path)
        // By the given path, because the system then refuses a link that somebody else has put into a folder for all, such as /tmp.
        if let there = status(path) {
            let kind = there.st_mode & S_IFMT
            if isStandardOutput(there) { return try write(bytes, to: STDOUT_FILENO) }
            if kind != S_IFREG, kind != S_IFDIR { return try write(bytes, into: path) }
        } else if errno != ENOENT {
            throw Fault(number: errno)
        }
        let new = place + ".new-\(getpid())"
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        try check(descriptor)
        do throws(Fault) {
            do throws(Fault) {
                try write(bytes, to: descriptor)
                try check(fsync(descriptor))
            } catch {
                close(descriptor)
                throw error
            }
            try check(close(descriptor))
            try check(rename(new, place))
        } catch {
            unlink(new)
            throw error
        }
    }

    private static func write(_ bytes: [UInt8], into path: String) throws(Fault) {
        var descriptor: Int32
        repeat { descriptor = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC) } while descriptor < 0 && errno == EINTR
        try check(descriptor)
        do throws(Fault) { try write(bytes, to: descriptor) } catch {
            close(descriptor)
            throw error
        }
        try check(close(descriptor))
    }

    /// Whether it is what standard output goes to: `/dev/stdout` in `-o /dev/stdout >> log`, whose log would otherwise be replaced.
    private static func isStandardOutput(_ file: stat) -> Bool {
        var output = stat()
        return fstat(STDOUT_FILENO, &output) == 0 && (output.st_dev, output.st_ino) == (file.st_dev, file.st_ino)
    }

    /// Where the symbolic links that begin at a path lead, whether or not anything is there; the path itself if it is none.
    private static func end(ofLinksFrom path: String) throws(Fault) -> String {
        var place = path
        // As many as Linux follows.
        for _ in 0..<40 {
            guard let next = destination(of: place) else { return place }
            place = next.hasPrefix("/") ? next : folder(of: place) + "/" + next
        }
        throw Fault(number: ELOOP)
    }

    /// Makes a folder, and those above it that are not there.
    static func makeFolder(_ path: String, mode: mode_t = 0o777) throws(Fault) {
        if mkdir(path, mode) == 0 || (errno == EEXIST && isFolder(path)) { return }
        let above = folder(of: path)
        guard errno == ENOENT, above != path else { throw Fault(number: errno) }
        try makeFolder(above, mode: mode)
        if mkdir(path, mode) != 0, !(errno == EEXIST && isFolder(path)) { throw Fault(number: errno) }
    }

    /// The path without its last part: `/a/b` for `/a/b/c`, `.` for `a`.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Removes a file. Whether it could does not matter to whoever calls this.
    static func remove(_ path: String) { _ = unlink(path) }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    private static func isFolder(_ path: String) -> Bool { status(path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false }

    /// The file's rights, such as 0o600; nil when it is not there.
    static func mode(_ path: String) -> mode_t? { status(path).map { $0.st_mode & 0o7777 } }

    /// Seconds since the file was written; nil when it is not there.
    static func age(_ path: String) -> Int? {
        guard let status = status(path) else { return nil }
        #if canImport(Glibc)
            return time(nil) - status.st_mtim.tv_sec
        #else
            return time(nil) - status.st_mtimespec.tv_sec
        #endif
    }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    /// The target of a symbolic link, as written in the link.
    static func destination(of link: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = buffer.withUnsafeMutableBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                characters.baseAddress.map { readlink(link, $0, characters.count) } ?? -1
            }
        }
        return count >= 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }

    /// The folder in which gatectl was started.
    static var workingFolder: String {
        guard let path = getcwd(nil, 0) else { return "." }
        defer { free(path) }
        return String(cString: path)
    }
}
