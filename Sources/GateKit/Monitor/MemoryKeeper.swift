import Foundation
import GateModel

/// What one monitor remembers, and where. A memory that fails makes it forget, and say so; it never stops a decision.
struct MemoryKeeper {
    private let memory: any GateMemory
    private let configuration: GateConfiguration
    private var record = MonitorRecord()
    /// What the person has put away.
    var seen = GateSeen()
    /// The notice that has appeared and is still open. It is remembered for the next start, and not yet in ``seen``: while it is on the screen the
    /// next one waits.
    private(set) var displayed: GateDecision?
    /// The last good document, and when it was last known to hold; as it was found at the start.
    private(set) var kept: (document: KeptDocument, confirmedAt: Date)?
    /// The last thing that went wrong and was not told yet.
    var trouble: GateKitError?

    init(_ memory: any GateMemory, configuration: GateConfiguration) {
        self.memory = memory
        self.configuration = configuration
    }

    private var recordName: String { configuration.scope + ".record" }
    private var documentName: String { configuration.scope + ".document" }
    private var confirmedName: String { configuration.scope + ".confirmed" }

    mutating func load() {
        attempt { keeper throws in
            if let data = try keeper.memory.load(keeper.recordName) { keeper.record = try MonitorRecord(data) }
        }
        attempt { keeper throws in
            guard let data = try keeper.memory.load(keeper.documentName), let confirmed = try keeper.memory.load(keeper.confirmedName),
                let seconds = Double(String(decoding: confirmed, as: UTF8.self))
            else { return }
            keeper.kept = (try KeptDocument(data), Date(timeIntervalSince1970: seconds))
        }
        seen = GateSeen(optionalVersions: record.optionalVersions, alerts: record.alerts)
        guard let legacy = configuration.legacy?.read() else { return }
        if let version = legacy.optionalVersion { seen.acknowledged.optionalVersions.insert(version, at: 0) }
        if let alert = legacy.alert { seen.acknowledged.alerts.insert(alert, at: 0) }
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

    /// What this installation draws with while a gate is being opened gradually; the same for ever. Whoever was let in goes on telling it until the
    /// end, of which the document that lets it in says nothing.
    /// - Parameters:
    ///   - openingEnd: of the gate that is known; nil for one that is not being opened.
    ///   - random: 0 to 1; asked for once in an installation's life.
    /// - Returns: nil where no gate is being opened.
    mutating func draw(now: Date, openingEnd: Date?, _ random: () -> Double) -> Int? {
        let known = record
        if let openingEnd { record.drawUntil = openingEnd.timeIntervalSince1970 }
        guard openingEnd != nil || record.drawUntil.map({ now.timeIntervalSince1970 < $0 }) == true else { return nil }
        let draw = record.draw ?? min(Int(random() * 10_000), 9_999)
        record.draw = draw
        if record != known { saveRecord() }
        return draw
    }

    /// The highest sequence that was seen of an app's platform.
    func highest(of origin: Contents.Origin) -> Int? { record.sequences["\(origin.app)/\(origin.platform)"] }

    mutating func keep(_ kept: KeptDocument, _ document: GateDocument, at now: Date) {
        let data = kept.data
        attempt { keeper throws in
            // A document that is asked for every few seconds is written when it is another; what cannot be read is another.
            if (try? keeper.memory.load(keeper.documentName)) != data { try keeper.memory.save(data, as: keeper.documentName) }
        }
        confirm(at: now)
        // Last: an app that is ended in between would else find a document that its own record refuses.
        see(document)
    }

    /// Remembers the document's place in history: older ones are refused from now on.
    mutating func see(_ document: GateDocument) {
        guard let origin = document.contents.origin, highest(of: origin) != origin.sequence else { return }
        record.sequences["\(origin.app)/\(origin.platform)"] = origin.sequence
        saveRecord()
    }

    mutating func confirm(at now: Date) {
        attempt { keeper throws in try keeper.memory.save(Data(String(now.timeIntervalSince1970).utf8), as: keeper.confirmedName) }
    }

    private mutating func saveSeen() {
        var known = seen
        if let displayed { known.acknowledge(displayed, extent: configuration.remembering) }
        record.optionalVersions = known.acknowledged.optionalVersions
        record.alerts = known.acknowledged.alerts
        saveRecord()
    }

    private mutating func saveRecord() {
        attempt { keeper throws in try keeper.memory.save(keeper.record.data, as: keeper.recordName) }
    }

    private mutating func attempt(_ work: (inout MemoryKeeper) throws -> Void) {
        do { try work(&self) } catch {
            trouble =
                error as? GateKitError ?? GateKitError(.memory, "What is remembered could not be read or kept: \(error)", underlying: error)
        }
    }
}

extension GateSeen {
    /// Whether the person has put this away, or off.
    func holds(_ decision: GateDecision) -> Bool {
        switch decision.remembered {
        case .optionalVersion(let version): acknowledged.optionalVersions.contains(version) || postponed.optionalVersions.contains(version)
        case .alert(let text): acknowledged.alerts.contains(text) || postponed.alerts.contains(text)
        case nil: false
        }
    }
}
