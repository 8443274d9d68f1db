import Foundation

/// Files that are whole after a power cut, and that nobody but their owner can read: written beside, flushed, renamed, and the folder
/// flushed too.
package enum DurableFile {
    /// Puts `bytes` in the place of the file at `path`, with mode 0600 whatever the umask and whatever the mode of the file before. The folder's
    /// entry is durable only after ``syncFolder(_:)``.
    /// - Throws: `POSIXError`.
    package static func replace(_ path: String, with bytes: [UInt8]) throws {
        let temporary = path + ".new"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw POSIXError.last }
        do {
            defer { close(descriptor) }
            // The mode above holds for a new file only: one that a crash left behind has its own.
            guard fchmod(descriptor, 0o600) == 0 else { throw POSIXError.last }
            var written = 0
            while written < bytes.count {
                let count = bytes[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                guard count > 0 else { throw POSIXError.last }
                written += count
            }
            guard fsync(descriptor) == 0 else { throw POSIXError.last }
        }
        guard rename(temporary, path) == 0 else { throw POSIXError.last }
    }

    /// Flushes the names in a folder, so that a rename survives a power cut.
    package static func syncFolder(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw POSIXError.last }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw POSIXError.last }
    }

    /// Makes a folder that nobody but its owner can look into, or makes one that is there so.
    package static func makePrivateFolder(_ path: String) throws {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST, chmod(path, 0o700) == 0 else { throw POSIXError.last }
    }
}

extension POSIXError {
    /// The calling thread's `errno` as an error.
    fileprivate static var last: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
