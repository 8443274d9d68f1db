import Foundation

/// How many files and connections this process may have open at once.
enum DescriptorLimit {
    /// Raises the limit as far as an unprivileged process may, because a shell's usual 1,024 is enough for only a few phones.
    /// - Returns: the limit now.
    static func raise() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
        let wanted = min(limit.rlim_max, rlim_t(Places.wantedFeeds + Places.wantedAdmin + Places.others))
        if limit.rlim_cur < wanted {
            limit.rlim_cur = wanted
            // If it cannot be raised it stays as it is, and only that many connections are served.
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) != 0 {
                _ = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            }
        }
        return Int(clamping: limit.rlim_cur)
    }
}

/// How many connections each listener takes. With fewer descriptors than these need, a listener would run out of them before it is full,
/// and never notice that it has to make room.
struct Places {
    static let wantedFeeds = 12_000
    static let wantedAdmin = 256
    /// Descriptors for everything else: the database, its backups, files being read, the workers' own.
    static let others = 256

    let feeds: Int
    let admin: Int

    var isShort: Bool { feeds < Self.wantedFeeds }

    init(descriptors: Int) {
        let left = max(64, descriptors - Self.others)
        admin = min(Self.wantedAdmin, max(32, left / 4))
        feeds = min(Self.wantedFeeds, max(32, left - admin))
    }
}
