#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Shows a text that is longer than the terminal through the program that `PAGER` names. Without a `PAGER` nothing is paged: nobody should
/// have to know how to leave a pager they did not ask for.
enum Pager {
    /// - Returns: false when there is no pager, or when it cannot be started; then nothing was shown.
    static func show(_ text: String, environment: [String: String] = ProcessEnvironment.variables) -> Bool {
        guard let command = environment["PAGER"], !command.allSatisfy(\.isWhitespace) else { return false }
        // Ctrl-C belongs to the pager while it runs.
        Interrupt.now(.paging)
        defer { Interrupt.now(.reading) }
        // Keeps colours, and does not wait for a key if everything fits; the user's own LESS takes precedence.
        guard let (pid, input) = start(["/bin/sh", "-c", command], environment: ["LESS": "FRX"].merging(environment) { $1 }) else {
            return false
        }
        // An error is safe to lose: a pager that is left early has read enough.
        try? FileSystem.write(Array(text.utf8), to: input)
        close(input)
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        // 127 is the shell's exit status for a command that was not found.
        return !(status & 0x7F == 0 && (status >> 8) & 0xFF == 127)
    }

    /// Starts a program that reads from a pipe.
    /// - Returns: its process id, and the end of the pipe to write to.
    private static func start(_ words: [String], environment: [String: String]) -> (pid_t, input: Int32)? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        // If the program had the writing end too, it would never reach the end of its input.
        _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
        defer { close(ends[0]) }
        #if canImport(Glibc)
            var actions = posix_spawn_file_actions_t()
        #else
            var actions: posix_spawn_file_actions_t?
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO)
        posix_spawn_file_actions_addclose(&actions, ends[0])
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var pid = pid_t()
        guard posix_spawn(&pid, words[0], &actions, nil, &arguments, &variables) == 0 else {
            close(ends[1])
            return nil
        }
        return (pid, ends[1])
    }
}
