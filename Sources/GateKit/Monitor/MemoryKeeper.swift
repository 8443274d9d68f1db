import Foundation
import GateModel

/// What one monitor remembers, and where. If the memory fails, things are forgotten and the error is reported; a decision is never held up.
struct MemoryKeeper {
    // Monitors of one process may share what is stored, even through memories of their own: while one of them reads and then writes, no
    // other may write in between. `Synchronization.Mutex` needs macOS 15.
    private static let lock = NSRecursiveLock()
    private let memory: any GateMemory
    private let configuration: GateConfiguration
    private var record = MonitorRecord()
    /// The record as it was last read or written: what differs from it was stored by another process, such as an extension of the app.
    private var stored = MonitorRecord()
    /// The sequences of documents that could not be stored. They are not stored either: the next start finds an older document, which must
    /// still count.
    private var unstored: [String: Int] = [:]
    /// Whether the record could not be written when it changed: it is written with the next document then.
    private var isUnwritten = false
    /// What the person has dismissed.
    var seen = GateSeen()
    /// The notice that has appeared and is still open. It is stored for the next start, but not yet in ``seen``: the next notice waits
    /// while it is on the screen.
    private(set) var displayed: GateDecision?
    /// The last good document, and when it was last known to be current; as found at the start.
    private(set) var kept: (document: KeptDocument, confirmedAt: Date)?
    /// The last error that has not been reported yet.
    var trouble: GateKitError?

    init(_ memory: any GateMemory, configuration: GateConfiguration) {
        self.memory = memory
        self.configuration = configuration
    }

    private var recordName: String { configuration.scope + ".record" }
    private var documentName: String { configuration.scope + ".document" }
    private var confirmedName: String { configuration.scope + ".confirmed" }

    /// Reads what an earlier start has stored.
    /// - Returns: whether everything could be read; if not, what is there may be read later.
    mutating func load() -> Bool {
        Self.lock.lock()
        defer { Self.lock.unlock() }
        var isReadable = takeUpRecord()
        attempt { keeper throws in
            guard let data = try keeper.read(keeper.documentName, &isReadable),
                let confirmed = try keeper.read(keeper.confirmedName, &isReadable),
                let seconds = Double(String(decoding: confirmed, as: UTF8.self))
            else { return }
            keeper.kept = (try KeptDocument(data), Date(timeIntervalSince1970: seconds))
        }
        addLegacy()
        return isReadable
    }

    private mutating func addLegacy() {
        guard let legacy = configuration.legacy?.read() else { return }
        // The library writes no more, so what it remembers is older than anything in the record, and is not the last thing dismissed then.
        let isAllRemembered = configuration.remembering == .all
        func add(_ text: String?, to list: inout [String]) {
            if let text, isAllRemembered || list.isEmpty, !list.contains(text) { list.insert(text, at: 0) }
        }
        add(legacy.optionalVersion, to: &seen.acknowledged.optionalVersions)
        add(legacy.alert, to: &seen.acknowledged.alerts)
    }

    mutating func acknowledge(_ decision: GateDecision) {
        if displayed?.remembered == decision.remembered { displayed = nil }
        seen.acknowledge(decision, extent: configuration.remembering)
        saveSeen()
    }

    mutating func display(_ decision: GateDecision) {
        displayed = decision
        saveSeen()
    }

    /// The number with which this installation is drawn while a gate opens gradually; it never changes. A phone that has been let in keeps
    /// sending it until the end of the opening, which the document that lets it in does not mention. The phone's clock may be wrong, so it
    /// sends the number for as long as the opening takes, counted from the last document that mentions it.
    /// - Parameters:
    ///   - opening: that of the known gate; nil if it is not opened gradually.
    ///   - random: 0 to 1; called once in an installation's life.
    /// - Returns: nil if no gate is being opened.
    mutating func draw(now: Date, opening: (start: Date, end: Date)?, _ random: () -> Double) -> Int? {
        let known = record
        if let (start, end) = opening {
            // Whole seconds, as the record is stored. The end is the server's time. A phone whose clock is ahead of it would stop at once,
            // and be shut out again and again.
            record.drawUntil = max(end, now + end.timeIntervalSince(start)).timeIntervalSince1970.rounded(.up)
        }
        guard opening != nil || record.drawUntil.map({ now.timeIntervalSince1970 < $0 }) == true else { return nil }
        if record.draw == nil { record.draw = min(Int(random() * 10_000), 9_999) }
        if record != known { saveRecord() }
        return record.draw
    }

    /// The highest sequence seen for an app's platform.
    func highest(of origin: Contents.Origin) -> Int? {
        [record.sequences[origin.name], unstored[origin.name]].compactMap(\.self).max()
    }

    /// Stores a document that is current now.
    mutating func keep(_ kept: KeptDocument, _ document: GateDocument, at now: Date) {
        Self.lock.lock()
        defer { Self.lock.unlock() }
        _ = takeUpRecord()
        // Another process has stored a newer one meanwhile, and the record would refuse this one at the next start.
        if let origin = document.contents.origin, let highest = highest(of: origin), origin.sequence < highest { return }
        let data = kept.data
        var isStored = false
        attempt { keeper throws in
            // A document that is polled every few seconds is written only if it differs; one that cannot be read counts as different.
            if (try? keeper.memory.load(keeper.documentName)) != data { try keeper.memory.save(data, as: keeper.documentName) }
            isStored = true
            try keeper.memory.save(Data(String(now.timeIntervalSince1970).utf8), as: keeper.confirmedName)
        }
        guard isStored else {
            // The time would be taken for that of the older document, which is still there.
            if let origin = document.contents.origin { unstored[origin.name] = origin.sequence }
            return
        }
        // This comes last: if the app ended in between, it would otherwise find a document that its own record refuses.
        see(document)
        if isUnwritten { saveRecord() }
    }

    /// Remembers the document's place in history: older ones are refused from now on.
    mutating func see(_ document: GateDocument) {
        guard let origin = document.contents.origin else { return }
        guard record.sequences[origin.name] != origin.sequence else { return }
        record.sequences[origin.name] = origin.sequence
        saveRecord()
    }

    private mutating func saveSeen() {
        Self.lock.lock()
        defer { Self.lock.unlock() }
        // What others have stored is in `seen` before the record is written from it.
        let isReadable = takeUpRecord()
        var known = seen
        if let displayed { known.acknowledge(displayed, extent: configuration.remembering) }
        record.optionalVersions = known.acknowledged.optionalVersions
        record.alerts = known.acknowledged.alerts
        writeRecord(isReadable: isReadable)
    }

    private mutating func saveRecord() {
        Self.lock.lock()
        defer { Self.lock.unlock() }
        let isReadable = takeUpRecord()
        writeRecord(isReadable: isReadable)
    }

    /// - Parameter isReadable: whether what is stored is known; otherwise it is not replaced.
    private mutating func writeRecord(isReadable: Bool) {
        isUnwritten = true
        guard isReadable else { return }
        attempt { keeper throws in
            try keeper.memory.save(keeper.record.data, as: keeper.recordName)
            keeper.stored = keeper.record
            keeper.isUnwritten = false
        }
    }

    /// Reads the record, and takes over what another process has stored in it since.
    /// - Returns: whether the record may be written: not if it could not be read now, because it may still be there.
    private mutating func takeUpRecord() -> Bool {
        var isReadable = true
        attempt { keeper throws in
            // What makes no sense is begun anew.
            if let data = try keeper.read(keeper.recordName, &isReadable) { keeper.takeOver(try MonitorRecord(data)) }
        }
        return isReadable
    }

    /// - Parameter isReadable: becomes false if the value could not be read now, but may still be there.
    private func read(_ name: String, _ isReadable: inout Bool) throws -> Data? {
        do { return try memory.load(name) } catch {
            if (error as? GateKitError)?.code != .malformed { isReadable = false }
            throw error
        }
    }

    private mutating func takeOver(_ theirs: MonitorRecord) {
        guard theirs != stored else { return }
        func add(_ their: [String], since known: [String], to own: inout [String]) {
            own = Array((their.filter { !known.contains($0) && !own.contains($0) } + own).suffix(GateSeen.most))
        }
        add(theirs.optionalVersions, since: stored.optionalVersions, to: &seen.acknowledged.optionalVersions)
        add(theirs.alerts, since: stored.alerts, to: &seen.acknowledged.alerts)
        add(theirs.optionalVersions, since: stored.optionalVersions, to: &record.optionalVersions)
        add(theirs.alerts, since: stored.alerts, to: &record.alerts)
        record.sequences.merge(theirs.sequences, uniquingKeysWith: max)
        // The number that was drawn first is the installation's.
        record.draw = theirs.draw ?? record.draw
        record.drawUntil = [record.drawUntil, theirs.drawUntil].compactMap(\.self).max()
        stored = theirs
    }

    private mutating func attempt(_ work: (inout MemoryKeeper) throws -> Void) {
        do { try work(&self) } catch {
            let known = (error as? GateKitError).flatMap { $0.code == .memory ? $0 : nil }
            trouble = known ?? GateKitError(.memory, "What is remembered could not be read or kept: \(error)", underlying: error)
        }
    }
}

extension GateSeen {
    /// Whether the person has dismissed or postponed this.
    func holds(_ decision: GateDecision) -> Bool {
        switch decision.remembered {
        case .optionalVersion(let version): acknowledged.optionalVersions.contains(version) || postponed.optionalVersions.contains(version)
        case .alert(let text): acknowledged.alerts.contains(text) || postponed.alerts.contains(text)
        case nil: false
        }
    }
}
