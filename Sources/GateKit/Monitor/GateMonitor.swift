public import Foundation

/// Watches one feed for an app: fetches, verifies, decides, remembers, and announces changes.
///
/// The app calls ``start()`` once, forwards ``enterForeground()`` and ``enterBackground()``, and shows what ``events()`` or the delegate
/// announce. A failure never lets in anybody who was shut out, and never shuts out anybody who was let in.
public actor GateMonitor {
    /// What it watches, and how; the same for its whole life.
    public nonisolated let configuration: GateConfiguration
    private var phone: GatePhone
    private let transport: any GateTransport
    private let clock: any GateClock
    private let random: @Sendable () -> Double
    private weak var delegate: (any GateMonitorDelegate)?
    private var keeper: MemoryKeeper

    /// The document that decides; nil while nothing is known.
    private var document: GateDocument?
    private var kept: KeptDocument?
    /// Whether the document that decides is from an earlier start and has not been confirmed since.
    private var isFromBefore = false
    private var current = GateState(decision: .open, isStale: false, sequence: nil)
    private var announcer = Announcer()

    /// The check in progress; further checks join it.
    private var pending: PendingCheck?
    private var checks = 0
    private var lastCheck: TimeInterval?
    private var failures = 0
    private var timer: Task<Void, Never>?
    private var timerNumber = 0
    private var isInBackground = false
    /// Whether ``stop()`` was called and nothing has been asked for since: what the app reports sets no timer then.
    private var isStopped = false
    /// Whether what was stored has been read.
    private var isStarted = false
    private var listeners: [Int: AsyncStream<GateEvent>.Continuation] = [:]
    private var listenerCount = 0

    /// - Parameters:
    ///   - memory: where dismissals and the last good document are stored.
    ///   - random: returns numbers from 0 to 1, for the pauses after failures.
    public init(
        _ configuration: GateConfiguration,
        phone: GatePhone,
        memory: any GateMemory = UserDefaultsGateMemory(),
        transport: any GateTransport = URLSessionGateTransport(),
        clock: any GateClock = SystemGateClock(),
        random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) },
        delegate: (any GateMonitorDelegate)? = nil
    ) {
        self.configuration = configuration
        self.phone = phone
        self.transport = transport
        self.clock = clock
        self.random = random
        self.delegate = delegate
        keeper = MemoryKeeper(memory, configuration: configuration)
    }

    deinit {
        timer?.cancel()
        pending?.request.cancel()
        pending?.limit.cancel()
        for listener in listeners.values { listener.finish() }
    }

    // MARK: What is known

    /// What is known now.
    public var state: GateState { current }

    /// What the app shows now. Reading it changes nothing.
    public var decision: GateDecision { current.decision }

    /// The events from now on. Each call gets a stream of its own; one that is not read keeps the last 100.
    public func events() -> AsyncStream<GateEvent> {
        listenerCount += 1
        let number = listenerCount
        return AsyncStream(bufferingPolicy: .bufferingNewest(100)) { continuation in
            listeners[number] = continuation
            continuation.onTermination = { [weak self] _ in Task { [weak self] in await self?.forget(listener: number) } }
        }
    }

    /// Replaces the delegate, which is held weakly; nil for none. It hears of what happens from now on.
    public func setDelegate(_ delegate: (any GateMonitorDelegate)?) { self.delegate = delegate }

    /// The language was changed, or the system was updated.
    public func update(_ phone: GatePhone) {
        self.phone = phone
        decideAgain()
    }

    // MARK: What the app reports

    /// Restores what was last known, then checks. Returns when there is a result, at the latest after the time-out; if nothing is known,
    /// the gate is open.
    @discardableResult
    public func start() async -> GateState {
        takeUpWhatIsKept()
        _ = await performCheck()
        return current
    }

    /// Checks, unless the app is let in and the last check is more recent than the spacing. Joins a check that is in progress.
    /// - Parameter forced: checks in any case, as a "try again" button does.
    @discardableResult
    public func check(forced: Bool = false) async -> GateState {
        takeUpWhatIsKept()
        guard forced || isBlocked || isDue || pending != nil else { return current }
        _ = await performCheck()
        return current
    }

    /// The app is in front again: checks at once if it is shut out, or if the last check is long enough ago. What was postponed comes back.
    @discardableResult
    public func enterForeground() async -> GateState {
        isInBackground = false
        keeper.seen.comeBack()
        decideAgain()
        return await check()
    }

    /// The app is no longer in front: no more polling until it is again, or until ``backgroundFetch()``.
    public func enterBackground() {
        isInBackground = true
        stopTimer()
    }

    /// Checks for the system's background fetch.
    public func backgroundFetch() async -> GateFetchResult {
        takeUpWhatIsKept()
        let before = current.decision
        guard await performCheck() == nil else { return .failed }
        return current.decision != before || !isBlocked ? .newData : .noData
    }

    /// Accepts a document that arrived by push, without polling the feed.
    /// - Parameter signature: the document's line `<key id>:<base64url>`; required if keys are pinned.
    /// - Throws: the error with which a check would have failed; nothing has changed then.
    @discardableResult
    public func apply(_ body: Data, signature: String? = nil) throws(GateKitError) -> GateState {
        takeUpWhatIsKept()
        try SignatureCheck(keys: configuration.keys).check(body, line: signature)
        let document = try Fetch.read(body, configuration)
        try accept(document, KeptDocument(url: "", etag: nil, signature: signature, body: body))
        // Polls that failed before say nothing about this document: it is polled at its own interval.
        failures = 0
        isStopped = false
        settle()
        return current
    }

    /// The person has dismissed the notice; if there is another one, it comes now. Choosing the update does not dismiss it.
    public func acknowledge(_ decision: GateDecision) {
        keeper.acknowledge(decision)
        // A notice shown every time by its own terms (Prince of Versions' ALWAYS) stays closed only until the app comes to the foreground
        // again.
        if let remembered = decision.remembered, let document, self.decision(of: document).remembered == remembered {
            keeper.seen.postpone(decision)
        }
        decideAgain()
    }

    /// The person has closed the notice without dismissing it: it comes back when the app next comes to the foreground, unless it was
    /// remembered when it appeared.
    public func postpone(_ decision: GateDecision) {
        keeper.seen.postpone(decision)
        decideAgain()
    }

    /// The notice has appeared. It is remembered only if ``GateConfiguration/recording`` says so, and stays on the screen in any case until
    /// it is closed (``acknowledge(_:)``, ``postpone(_:)``) or withdrawn.
    public func didDisplay(_ decision: GateDecision) {
        guard configuration.recording == .onDisplay, let remembered = decision.remembered else { return }
        // It may have been closed or withdrawn before this call.
        if remembered == current.decision.remembered { keeper.display(decision) } else { keeper.acknowledge(decision) }
        reportTrouble()
    }

    /// Stops everything in progress; until somebody checks or pushes a document, nothing is polled. What is known stays, and counts then.
    public func stop() {
        isStopped = true
        stopTimer()
        if let pending { finish(pending.number, .failure(GateKitError(.transport, "The monitor was stopped."))) }
    }

    /// Stops everything, and ends all event streams.
    public func end() {
        stop()
        for listener in listeners.values { listener.finish() }
        listeners = [:]
    }

    // MARK: Checking

    private var isBlocked: Bool { current.decision.kind.shutsOut }

    private var isDue: Bool { lastCheck.map { clock.uptime - $0 >= configuration.minimumSpacing } ?? true }

    /// Starts a check, or joins the one in progress. Ends at the latest after the time-out.
    /// - Returns: why it failed; nil if it succeeded.
    private func performCheck() async -> GateKitError? {
        // One that is overdue died while the app was suspended, and so did its limit: nobody may join it.
        if let pending, let lastCheck, clock.uptime - lastCheck > configuration.timeout { finish(pending.number, .failure(overdue)) }
        stopTimer()
        if pending == nil { beginCheck() }
        return await withCheckedContinuation { continuation in pending?.waiting.append(continuation) }
    }

    private func beginCheck() {
        checks += 1
        isStopped = false
        lastCheck = clock.uptime
        let number = checks
        var fetch = Fetch(configuration: configuration, transport: transport, phone: phone, kept: kept)
        // The number gives this phone a moment of its own at which it is let in, for good. If the app sends nothing, the number is not sent
        // either.
        if configuration.parameters != .never {
            fetch.draw = keeper.draw(now: clock.now, opening: document?.opening, random)
            reportTrouble()
        }
        let (clock, timeout, overdue) = (clock, configuration.timeout, overdue)
        // Whichever finishes first ends the check: a transport that never answers cannot hold it up.
        pending = PendingCheck(
            number: number,
            request: Task { [weak self] in
                let result: Result<Fetch.Answer, GateKitError>
                do throws(GateKitError) { result = .success(try await fetch.run()) } catch { result = .failure(error) }
                await self?.finish(number, result)
            },
            limit: Task { [weak self] in
                // Cancelled: the check has ended.
                guard (try? await clock.sleep(seconds: timeout)) != nil else { return }
                await self?.finish(number, .failure(overdue))
            }
        )
    }

    private var overdue: GateKitError { GateKitError(.timeout, "There was no complete answer within \(configuration.timeout) s.") }

    private func finish(_ number: Int, _ result: Result<Fetch.Answer, GateKitError>) {
        guard let pending, pending.number == number else { return }
        self.pending = nil
        pending.request.cancel()
        pending.limit.cancel()
        var fault: GateKitError?
        do throws(GateKitError) {
            switch try result.get() {
            case .unchanged(let kept): try confirm(kept)
            case .document(let document, let kept): try accept(document, kept)
            }
            failures = 0
        } catch {
            fault = error
            failures += 1
            current.isStale = true
        }
        settle()
        if let fault { emit(.error(fault, keeping: current)) }
        for waiting in pending.waiting { waiting.resume(returning: fault) }
    }

    /// The server says that a document is still current: the one that was kept when it was asked. Until now its age may have stopped it
    /// from deciding, or another one may have been pushed since.
    private func confirm(_ named: KeptDocument) throws(GateKitError) {
        guard let document, named == kept else { return try accept(try Fetch.read(named.body, configuration), named) }
        try check(document)
        isFromBefore = false
        current.isStale = false
        keeper.keep(named, document, at: clock.now)
    }

    private func accept(_ new: GateDocument, _ kept: KeptDocument) throws(GateKitError) {
        try check(new)
        document = new
        self.kept = kept
        isFromBefore = false
        current.isStale = false
        keeper.keep(kept, new, at: clock.now)
    }

    private func check(_ document: GateDocument) throws(GateKitError) {
        try document.check(configuration, highest: document.contents.origin.flatMap(keeper.highest), at: clock.now)
    }

    private func takeUpWhatIsKept() {
        guard !isStarted else { return }
        // What cannot be read now, as files before a phone is unlocked for the first time, is read at the next check.
        isStarted = keeper.load()
        defer {
            decideAgain()
            reportTrouble()
        }
        guard let (kept, confirmedAt) = keeper.kept else { return }
        do {
            try SignatureCheck(keys: configuration.keys).check(kept.body, line: kept.signature)
            let document = try Fetch.read(kept.body, configuration)
            // One that has come meanwhile counts, unless it is older.
            if let newer = self.document, newer.sequence ?? .max >= document.sequence ?? 0 { return }
            try check(document)
            keeper.see(document)
            // `kept` belongs to `document`: beside one that has come meanwhile, a 304 for this one would be taken as that one's.
            if self.document == nil { self.kept = kept }
            // A clock that was set back makes it look young; whatever shut people out then continues to.
            guard configuration.lastKnownStateAge > 0, clock.now.timeIntervalSince(confirmedAt) <= configuration.lastKnownStateAge else {
                return
            }
            (self.document, self.kept) = (document, kept)
            isFromBefore = true
            current.isStale = true
        } catch {
            emit(.error(error, keeping: current))
        }
    }

    // MARK: Deciding and announcing

    /// Decides about the known document anew. A timer that runs for it runs on: an app that reports often would put off the poll for ever.
    private func decideAgain() {
        guard document != nil else { return }
        let interval = current.decision.retryInterval
        decide()
        if timer == nil || current.decision.retryInterval != interval { armTimer() }
    }

    /// Decides, and sets the timer from now.
    private func settle() {
        decide()
        armTimer()
    }

    /// Decides, announces what has changed, and then what could not be remembered.
    private func decide() {
        var next = current
        if let document {
            next.decision = decision(of: document)
            next.sequence = document.sequence
            next.diagnostics = document.diagnostics
        }
        current = next
        for event in announcer.events(for: next, isPutAway: keeper.seen.holds) { emit(event) }
        // If it was withdrawn or postponed, it is no longer open.
        if let displayed = keeper.displayed, displayed.remembered != next.decision.remembered { keeper.acknowledge(displayed) }
        reportTrouble()
    }

    private func decision(of document: GateDocument) -> GateDecision {
        var options = configuration.decisionOptions
        // The app was updated since: what the server told the previous version to do is not for this one. A native document has the whole
        // gate.
        if isFromBefore, document.shape != .native {
            options.isForAnother = Fetch(configuration: configuration, transport: transport, phone: phone, kept: kept).isKeptForAnother
        }
        return document.decision(for: phone, seen: keeper.seen, at: clock.now, options: options)
    }

    private func emit(_ event: GateEvent) {
        for listener in listeners.values { listener.yield(event) }
        guard let delegate else { return }
        configuration.delivery.run { [weak delegate] in delegate?.receive(event) }
    }

    /// Says what went wrong with the memory, when everything is decided: that stands all the same.
    private func reportTrouble() {
        guard let trouble = keeper.trouble else { return }
        keeper.trouble = nil
        emit(.error(trouble, keeping: current))
    }

    private func forget(listener: Int) { listeners[listener] = nil }

    // MARK: Polling again

    private func armTimer() {
        stopTimer()
        guard !isInBackground, !isStopped, pending == nil, let interval = current.decision.retryInterval else { return }
        let delay = BackOff.delay(interval: interval, failures: failures, random: failures > 0 ? random() : 0)
        timerNumber += 1
        let (clock, number) = (clock, timerNumber)
        timer = Task { [weak self] in
            // Cancelled: the timer was stopped.
            guard (try? await clock.sleep(seconds: delay)) != nil else { return }
            await self?.timerFired(number)
        }
    }

    private func stopTimer() {
        timer?.cancel()
        timer = nil
    }

    private func timerFired(_ number: Int) async {
        guard number == timerNumber, timer != nil, !isInBackground else { return }
        _ = await performCheck()
    }
}
