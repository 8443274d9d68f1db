public import Foundation

/// Draws a ``GatePresentation`` and reports which button was pressed.
@MainActor public protocol GatePresenter: AnyObject {
    /// Shows it in place of whatever was shown before.
    func present(_ presentation: GatePresentation, press: @escaping @MainActor (GatePresentation.Action) -> Void)
    /// Removes it.
    func dismiss()
}

/// Connects a monitor with a screen: shows one thing at a time, and a block before anything else.
@MainActor public final class GateScreen {
    private let monitor: GateMonitor
    private let presenter: any GatePresenter
    private let texts: GateTexts
    private let open: @MainActor (URL) -> Void
    private var listening: Task<Void, Never>?
    /// What is on the screen.
    public private(set) var shown: GatePresentation?

    /// - Parameter open: opens the store's address. Whether that succeeds makes no difference: a block stays until the feed lifts it.
    public init(monitor: GateMonitor, presenter: any GatePresenter, texts: GateTexts, open: @escaping @MainActor (URL) -> Void) {
        self.monitor = monitor
        self.presenter = presenter
        self.texts = texts
        self.open = open
    }

    deinit { listening?.cancel() }

    /// Starts showing what the monitor announces. Call it once; more calls do no harm.
    public func listen() async {
        guard listening == nil else { return }
        let (decision, events) = await monitor.following()
        guard listening == nil else { return }
        listening = Task { [weak self] in
            for await event in events { self?.receive(event) }
        }
        // Catches up on what happened before.
        show(decision)
    }

    private func receive(_ event: GateEvent) {
        switch event {
        case .didEngage(let decision), .messageChanged(let decision), .notice(let decision): show(decision)
        case .didDisengage(let decision):
            if shown?.isBlocking == true, shown?.decision.rule == decision.rule { dismiss() }
        case .noticeWithdrawn(let decision):
            // If the alert has become a blocking one, it is still the same rule and stays.
            if shown?.decision.remembered == decision.remembered { dismiss() }
        case .state(let state):
            // What is on the screen may get another button or another store address.
            if shown?.decision.rule == state.decision.rule {
                show(state.decision)
            } else if let notice = shown?.decision.remembered, notice != state.decision.remembered {
                // It was closed in another window, or by the app.
                dismiss()
            }
        case .willEngage, .willDisengage, .error: break
        }
    }

    private func show(_ decision: GateDecision) {
        guard let presentation = GatePresentation(decision, texts: texts), shown.map(presentation.looks(like:)) != true else { return }
        shown = presentation
        presenter.present(presentation) { [weak self] action in self?.press(action, on: presentation) }
        Task { [monitor] in await monitor.didDisplay(decision) }
    }

    private func press(_ action: GatePresentation.Action, on presentation: GatePresentation) {
        // Ignores a button of something that is no longer shown.
        guard presentation == shown else { return }
        switch action {
        case .update:
            if let url = presentation.decision.storeURL { open(url) }
        case .tryAgain: Task { [monitor] in await monitor.check(forced: true) }
        case .putAway:
            dismiss()
            Task { [monitor] in await monitor.acknowledge(presentation.decision) }
        }
    }

    func dismiss() {
        guard shown != nil else { return }
        shown = nil
        presenter.dismiss()
    }
}
