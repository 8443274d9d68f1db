import Foundation
import GateHTTP
import GateJSON
import GateServer
import GateService
import GateStore
import Logging
import ObjectStore
import Synchronization

/// Keeps an object store equal to what the feeds listener answers, on threads of its own: neither a change nor a poll ever waits for it.
final class ObjectKeeper: Sendable {
    private let publisher: BucketPublisher
    private let table: FeedTable
    private let ledger: Ledger
    private let log: Logger
    private let state = Mutex(State())

    private struct State {
        var history: String?
        /// Since when the health may say that something is wrong: the time of day for people, the other for its age.
        var faultSince: (time: Timestamp, begun: ContinuousClock.Instant)?
        /// The kinds of faults that the log was told of since it began, each with when, and the last one of them.
        var told: [FaultKind: ContinuousClock.Instant] = [:]
        var lastTold: FaultKind?
    }

    /// What the log is told apart by: it needs another remedy, whatever document it is about.
    private struct FaultKind: Hashable {
        let code: ObjectStoreError.Code
        let status: Int?
    }

    /// How long the store may be behind before the health says so: a store that is slow once need not concern anybody.
    private static let patience = Duration.seconds(10)

    /// How often the log is told of the same kind of fault, where a store changes between several.
    private static let repetition = Duration.seconds(60)

    /// The name of the one object that is not an app: the list of keys.
    private static let keys = "keys.json"

    private static let reading = Chore("Reading which history this is", by: "objects")

    /// - Throws: ``ObjectStoreError`` where there are no credentials.
    init(_ address: BucketAddress, table: FeedTable, ledger: Ledger, log: Logger) throws(ObjectStoreError) {
        let begun = ContinuousClock.now
        publisher = BucketPublisher(try Bucket(address, environment: ProcessInfo.processInfo.environment)) {
            ContinuousClock.now - begun
        }
        (self.table, self.ledger, self.log) = (table, ledger, log)
    }

    /// What `/metrics` tells.
    var figures: ObjectFigures {
        let figures = publisher.figures
        // Counts also while the store's content could not be looked at yet.
        let faultAge = state.withLock { $0.faultSince.map { ContinuousClock.now - $0.begun } }
        let age = [figures.waiting, faultAge].compactMap { $0 }.max() ?? .zero
        return ObjectFigures(
            pending: figures.pending,
            seconds: age / .seconds(1),
            written: figures.written,
            failed: figures.failed,
            mended: figures.mended
        )
    }

    /// To be called several times a second, by one thread.
    func keep() {
        guard let history = history() else { return }
        // Read before the news is taken: everything published with this number must include that change.
        let sequence = ledger.sequence
        let news = table.takeNews()
        if !news.isEmpty {
            var groups = news.apps.map { app in (name: "app \(app)", documents: Self.documents(table.responses(of: app))) }
            let keys = table.keysResponse
            if news.tellsKeys, let keys { groups.append((name: Self.keys, documents: Self.documents([keys]))) }
            // Feeds that cannot be read, and the list of keys while nobody can say which there are, stay as they were published.
            publisher.publish(groups, of: history, upTo: sequence, isWhole: table.isWhole && keys != nil)
        }
        var isMore = false
        repeat {
            isMore = publisher.keep { [table] in table.hasNews }
            tell()
            // New changes go before mere checking.
        } while isMore && !table.hasNews
    }

    /// Nil while nothing may be published.
    private func history() -> String? {
        if let known = state.withLock({ $0.history }) { return known }
        do throws(StoreError) {
            let found = try ledger.historyID()
            ledger.failures.worked(Self.reading)
            state.withLock { $0.history = found }
            return found
        } catch {
            ledger.failures.failed(Self.reading, error)
            return nil
        }
    }

    private static func documents(_ responses: [(path: String, response: PreparedResponse)]) -> [String: BucketObject] {
        Dictionary(
            responses.map { path, response in
                (
                    path,
                    BucketObject(
                        body: response.body,
                        contentType: response.headers["Content-Type"] ?? "",
                        cacheControl: response.headers["Cache-Control"] ?? ""
                    )
                )
            },
            uniquingKeysWith: { $1 }
        )
    }

    private func tell() {
        let (figures, now) = (publisher.figures, ContinuousClock.now)
        let (reason, news) = state.withLock { state -> (String?, String??) in
            guard let fault = figures.fault else {
                state.faultSince = nil
                let wasTold = state.lastTold != nil
                (state.told, state.lastTold) = ([:], nil)
                let isLate = figures.waiting.map { $0 > Self.patience } ?? false
                return (isLate ? "objects: \(figures.pending) feeds are not in the object store yet" : nil, wasTold ? .some(nil) : nil)
            }
            let since = state.faultSince ?? (.now, now)
            state.faultSince = since
            guard now - since.begun > Self.patience else { return (nil, nil) }
            // A store that was down and is back may refuse a key that ended meanwhile.
            let kind = FaultKind(code: fault.code, status: fault.status)
            let isNews = state.lastTold != kind && state.told[kind].map { now - $0 > Self.repetition } ?? true
            if isNews { (state.told[kind], state.lastTold) = (now, kind) }
            // Anybody may ask for the health, so it names neither bucket nor host.
            return (
                "objects: the object store has not taken what is published since \(since.time); phones that read it there see an older state",
                isNews ? .some(fault.detail) : nil
            )
        }
        ledger.storedObjects(fault: reason)
        switch news {
        case .some(let fault?):
            log.error("publishing into the object store fails", metadata: ["bucket": "\(publisher.address)", "cause": "\(fault)"])
        case .some(nil): log.notice("publishing into the object store works again", metadata: ["bucket": "\(publisher.address)"])
        case nil: break
        }
    }
}
