import Foundation
import Glibc

/// Runs a program to its end, for fixtures whose programs leave others running: Foundation's `Process` gives every process that it starts a
/// socket, and considers a program running as long as one of its children has that socket.
package enum SystemCommand {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// - Parameter words: the program and its arguments; a program without a path is looked up on the PATH.
    /// - Returns: what it wrote to standard output and standard error, together.
    @discardableResult
    package static func run(_ words: [String]) throws -> String {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw Failure(description: "no sockets: \(String(cString: strerror(errno)))")
        }
        let process: pid_t
        do {
            defer { close(ends[1]) }
            process = try start(words, input: nil, output: ends[1])
        } catch {
            close(ends[0])
            throw error
        }
        let said = String(decoding: FileHandle(fileDescriptor: ends[0], closeOnDealloc: true).readDataToEndOfFile(), as: UTF8.self)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else { throw Failure(description: "\(words.joined(separator: " ")): status \(status): \(said)") }
        return said
    }

    /// - Parameters:
    ///   - input: the program's standard input; nil for none.
    ///   - output: its standard output and error; nil for none.
    /// - Returns: the process, which inherits no other open file.
    static func start(_ words: [String], input: Int32?, output: Int32?) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (descriptor, given) in [(Int32(0), input), (1, output), (2, output)] {
            if let given {
                posix_spawn_file_actions_adddup2(&actions, given, descriptor)
            } else {
                posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY, 0)
            }
        }
        // Closes whatever this process has open without close-on-exec; a file closed already does no harm. (Swift cannot see closefrom.)
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
        for descriptor in open where descriptor > 2 { posix_spawn_file_actions_addclose(&actions, descriptor) }
        let arguments = words.map { strdup($0) }
        defer { for argument in arguments { free(argument) } }
        var process = pid_t()
        let failure = posix_spawnp(&process, words[0], &actions, nil, arguments + [nil], environ)
        guard failure == 0 else { throw Failure(description: "\(words[0]): \(String(cString: strerror(failure)))") }
        return process
    }
}
