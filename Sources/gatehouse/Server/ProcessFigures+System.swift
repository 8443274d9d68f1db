import Foundation
import GateServer

#if canImport(Glibc)
    import Glibc
#endif

extension ProcessFigures {
    /// Asks the system, as described in proc(5), sysconf(3) and statvfs(3); what it does not tell is left out.
    /// - Parameter folder: the folder whose file system is asked for free space.
    static func now(dataFolder folder: String) -> ProcessFigures {
        var figures = ProcessFigures()
        var room = statvfs()
        if statvfs(folder, &room) == 0 { figures.freeDiskBytes = Int(room.f_bavail) * Int(room.f_frsize) }
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 { figures.mostDescriptors = Int(clamping: limit.rlim_cur) }
        // Losing the error is safe: a machine without /proc only tells less.
        figures.openDescriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count
        guard let stat = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8) else { return figures }
        // The second field is the program's name in parentheses, with whatever it has in it.
        let fields = stat[stat.index(after: stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
        let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
        guard fields.count > 21, ticks > 0 else { return figures }
        if let user = Double(fields[11]), let system = Double(fields[12]) { figures.cpuSeconds = (user + system) / ticks }
        if let begun = Double(fields[19]) {
            let booted = Date().timeIntervalSince1970 - Double(uptime()) / 1_000
            figures.startTime = booted + begun / ticks
        }
        figures.virtualBytes = Int(fields[20])
        figures.residentBytes = Int(fields[21]).map { $0 * sysconf(Int32(_SC_PAGESIZE)) }
        return figures
    }

    /// Milliseconds since the machine started, asleep or not; nobody can set this clock.
    static func uptime() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
