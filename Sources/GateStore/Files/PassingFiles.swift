import Foundation
import Synchronization

/// The files that this process needs only while it works on something: unencrypted copies of a database, perhaps with the keys, in a place
/// where nobody would look for them. A signal that ends the process removes them. Any thread.
package enum PassingFiles {
    private static let paths = Mutex<Set<String>>([])

    /// To be called before the first file is made.
    static func add(_ new: [String]) { paths.withLock { $0.formUnion(new) } }

    /// To be called when they have been removed or are to stay.
    static func forget(_ old: [String]) { paths.withLock { $0.subtract(old) } }

    /// Removes all of them, files and folders.
    package static func removeAll() { paths.withLock { remove($0) } }

    /// Removes all of them and ends the process with `end`. Nobody can add one in between, nor make one again.
    package static func removeAll(thenEnd end: () -> Never) -> Never {
        paths.withLock { paths in
            // Folders, which have to be opened for it; a folder that is gone takes no more files.
            remove(paths)
            // SQLite, on another thread, may just be making a journal or a log for a copy that was still there. From here on no thread can
            // open anything, and removing a file takes no descriptor.
            refuseDescriptors()
            for path in paths { unlink(path) }
            end()
        }
    }

    private static func refuseDescriptors() {
        var limit = rlimit()
        getrlimit(resource, &limit)
        limit.rlim_cur = 0
        setrlimit(resource, &limit)
    }

    #if canImport(Glibc)
        private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
        private static let resource = RLIMIT_NOFILE
    #endif

    private static func remove(_ paths: Set<String>) {
        // Other threads are still at work: they may put a file into a folder between the look at what is in it and its removal, and SQLite
        // makes a journal for a database that is still there after the journal was looked for. So it is looked until none is there.
        for _ in 0..<tries {
            let present = paths.filter(DataDirectory.exists)
            if present.isEmpty { return }
            // One that cannot be removed does not keep the others.
            for path in present { try? FileManager.default.removeItem(atPath: path) }
        }
    }

    private static let tries = 100
}
