package import GateModel

extension ChangeService {
    /// Everything that decides about feeds, of one moment.
    package struct Export: Sendable {
        /// By key.
        package let apps: [App]
        /// What the export speaks for: every app, or those that were asked for or that the caller sees.
        package let scope: AppScope
        /// Sequence of the last change before it.
        package let sequence: Int
    }

    /// - Parameter app: nil for every app that the caller sees.
    /// - Throws: `notFound`, also for an app out of the caller's scope; `app_unreadable` when an app would have to be left out that is there.
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
