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

    /// Removes all of them and ends the process with `end`. Nobody can add one in between.
    package static func removeAll(thenEnd end: () -> Never) -> Never {
        paths.withLock { paths in
            remove(paths)
            end()
        }
    }

    private static func remove(_ paths: Set<String>) {
        for path in paths {
            // Other threads are still at work, and may put a file into a folder between the look at what is in it and its removal. One that
            // is not there yet, or cannot be removed, does not keep the others.
            for _ in 0..<tries where DataDirectory.exists(path) { try? FileManager.default.removeItem(atPath: path) }
        }
    }

    private static let tries = 100
}
