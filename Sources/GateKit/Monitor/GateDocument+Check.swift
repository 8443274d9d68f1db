import Foundation

extension GateDocument {
    /// Whether a document that was read and verified may be obeyed.
    /// - Parameter highest: the highest sequence seen for the document's app and platform; nil for the first one.
    /// - Throws: `wrong_app`, `rollback`, `too_old`.
    func check(_ configuration: GateConfiguration, highest: Int?, at now: Date) throws(GateKitError) {
        guard let origin = contents.origin else { return }
        guard origin.app == configuration.app ?? origin.app, origin.platform == configuration.platform ?? origin.platform else {
            throw GateKitError(.wrongApp, "The document is for \(origin.name).")
        }
        if let highest, origin.sequence < highest {
            throw GateKitError(.rollback, "The document has sequence \(origin.sequence), but \(highest) was seen before.")
        }
        if let most = configuration.maximumIssueAge, let issuedAt, now.timeIntervalSince(issuedAt) > most {
            throw GateKitError(.tooOld, "The document was issued at \(origin.issuedAt).")
        }
    }
}
