package import GateModel

extension ChangeService {
    /// Everything that determines the feeds, at one moment.
    package struct Export: Sendable {
        /// Sorted by key.
        package let apps: [App]
        /// The apps that the export covers: all of them, or those that were asked for or that the caller sees.
        package let scope: AppScope
        /// Sequence of the last change before the export.
        package let sequence: Int
    }

    /// - Parameter app: nil for every app that the caller sees.
    /// - Throws: `notFound`, also for an app out of the caller's scope; `app_unreadable` when an existing app would have to be left out.
    package func export(_ app: AppKey?, for caller: Caller) throws(ServiceError) -> Export {
        let catalog = ledger.snapshot.catalog
        for sealed in catalog.sealed.sorted() where caller.sees(sealed) && (app == nil || app == sealed) { throw .sealed(sealed) }
        guard let app else {
            let apps = catalog.apps.values.filter { caller.sees($0.key) }.sorted { $0.key < $1.key }
            return Export(apps: apps, scope: caller.scope, sequence: catalog.sequence)
        }
        guard caller.sees(app), let found = catalog.apps[app] else { throw .missing(app) }
        return Export(apps: [found], scope: .only([app]), sequence: catalog.sequence)
    }
}
