import GateServer
import GateService
import GateStore

/// Keeps the feeds signed with the keys of the data folder, and notices when somebody alters the keys.
struct SigningKeeper: Sendable {
    private let signer: FeedSigner
    private let table: FeedTable
    private let ledger: Ledger

    private static let reading = Chore("Reading the keys that feeds are signed with", by: "signing")

    init(dataFolder: String, table: FeedTable, ledger: Ledger) {
        signer = FeedSigner(folder: FeedKeyFolder(dataFolder: dataFolder))
        (self.table, self.ledger) = (table, ledger)
    }

    /// To be called before the first feed is published, and about once a second by one thread.
    func keep() {
        var isNews = false
        do throws(StoreError) {
            isNews = try signer.look()
            ledger.failures.worked(Self.reading)
        } catch {
            ledger.failures.failed(Self.reading, error)
        }
        let signing = signer.signing
        // A signature that did not verify is tried again, with the others.
        if isNews || signing.hasFailed || signing !== table.signing { table.sign(with: signing) }
        ledger.signed(fault: signer.fault)
    }
}
