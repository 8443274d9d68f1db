import Foundation

/// Standard output or standard error, written so that nothing ends the process: Foundation's `FileHandle.write(_:)` does when the disk is
/// full or nobody reads any more, and `print` says nothing of what it could not write.
///
/// Any thread; what two threads write at once may mix.
struct OutputEnd: Sendable {
    /// Blocking or not.
    let descriptor: Int32

    static let output = OutputEnd(descriptor: STDOUT_FILENO)
    static let error = OutputEnd(descriptor: STDERR_FILENO)

    /// Writes all bytes, however long that takes. `SIGPIPE` must be ignored, or somebody who reads no more ends the process all the same.
    /// - Returns: how many bytes were written: fewer where the other end is gone or the disk is full. The rest is lost: nobody must wait
    ///   for ever for what will not come back.
    @discardableResult
    func write(_ bytes: [UInt8]) -> Int {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress! + written, $0.count - written) }
            if count > 0 {
                written += count
            } else if count == 0 {
                // Nothing was taken, and there is no error that says why.
                break
            } else if errno == EAGAIN {
                // Somebody else made it non-blocking: the descriptor may be shared.
                var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&ready, 1, -1)
            } else if errno != EINTR {
                break
            }
        }
        return written
    }

    /// Writes a line.
    /// - Parameter line: without its end.
    /// - Returns: whether all of it was written.
    @discardableResult
    func write(line: String) -> Bool {
        signal(SIGPIPE, SIG_IGN)
        let bytes = Array("\(line)\n".utf8)
        return write(bytes) == bytes.count
    }
}
