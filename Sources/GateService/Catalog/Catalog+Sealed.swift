import GateModel
import GateStore

extension Catalog {
    /// - Throws: `app_unreadable` for an app that exists and cannot be read.
    func requireReadable(_ key: AppKey) throws(ServiceError) {
        guard !sealed.contains(key) else { throw .sealed(key) }
    }
}

extension Change {
    /// What keeps the change from being shown whole; nil for nearly every change.
    var storeFault: StoreFault? {
        (fault ?? targets.lazy.compactMap(\.fault).first).map { StoreFault.unreadable("changes", row: String(sequence), $0) }
    }
}

extension ServiceError {
    static func sealed(_ app: AppKey) -> ServiceError {
        ServiceError(
            .unavailable,
            "app_unreadable",
            "What the database holds for \(app) cannot be read, so it stays as it was last published; stop the server and run gatehouse repair.",
            retryAfter: 60
        )
    }

    static func unreadable(_ target: TargetKey, _ revision: Int) -> ServiceError {
        ServiceError(
            .invalid,
            "revision_unreadable",
            "What \(target) had at revision \(revision) cannot be read any more; choose another revision.",
            field: "/revertTo"
        )
    }

    static func unreadable(_ window: Window) -> ServiceError {
        ServiceError(
            .conflict,
            "window_unreadable",
            "Window \(window.id) cannot be read, so it will do nothing; stop the server, run gatehouse repair, and make the window again."
        )
    }
}
