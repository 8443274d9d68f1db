import GateJSON
import GateModel

/// One client library's column in a matrix, with everything that it polls for one target.
struct MatrixColumn {
    private let library: ClientLibrary
    private let target: Target
    private let question: MatrixSimulator.Question
    private let meaning: GateMeaning
    /// The dismissals of a person who was shown everything that can be dismissed.
    private let acknowledged: Acknowledgements
    private let targetedFeeds: TargetedFeeds
    /// The feed for everybody; nil for a library that reads the gate itself.
    private var feed: SimulatedFeed?
    /// Feeds by answer: phones with equal answers are sent the same bytes.
    private var read: [TargetedAnswer: ReadFeed] = [:]

    private var release: GandalfRelease { question.release ?? .usual }
    private var platform: PlatformKey { target.key.platform }
    private var languages: [String] { question.locale.map { [$0] } ?? [] }

    /// - Parameter documents: the target's documents, by feed.
    init(_ library: ClientLibrary, of target: Target, _ documents: [FeedName: [UInt8]], _ question: MatrixSimulator.Question) {
        self.library = library
        self.target = target
        self.question = question
        meaning = GateMeaning(target.gate, settings: target.settings)
        acknowledged = question.seen ? target.gate.acknowledged : .none
        targetedFeeds = TargetedFeeds(App(key: target.key.app, name: "", platforms: [target.key.platform: target]))
        feed = documents[library.feed].map { SimulatedFeed(library, question.release ?? .usual, of: target, $0) }
    }

    mutating func cell(_ version: String) throws(ModelError) -> SimulationMatrix.Cell {
        let decision = meaning.decision(for: Phone(version: version, languages: languages), acknowledged: acknowledged)
        let meant = Effect.Shown(decision.kind)
        let phone = SimulatedPhone(library, on: platform, checked: version)
        guard var feed else { return native(version, decision, meant) }
        let look = try feed.look(phone, seen: question.seen, locale: question.locale)
        self.feed = feed
        let untargeted = SimulationMatrix.View(look.view, meant: meant)
        let targeted = try targeted(phone, meant: meant) ?? untargeted
        let words = MatrixWords(
            library: library,
            version: version,
            target: target,
            release: release,
            meant: meant,
            untargeted: untargeted,
            shown: Effect.Shown(look.decision),
            targeted: targeted
        )
        return SimulationMatrix.Cell(
            version: version,
            client: library,
            meant: meant,
            untargeted: untargeted,
            targeted: targeted,
            hidden: look.hidden,
            why: words.why,
            cure: words.cure
        )
    }

    /// - Returns: nil if the phone is sent what everybody is sent.
    private mutating func targeted(_ phone: SimulatedPhone, meant: Effect.Shown) throws(ModelError) -> SimulationMatrix.View? {
        let asked = Phone(version: phone.version, languages: languages)
        guard let answer = targetedFeeds.answer(library.feed, to: asked, on: platform) else { return nil }
        let feed: ReadFeed
        if let known = read[answer] {
            feed = known
        } else {
            do { feed = ReadFeed(library, try targetedFeeds.bytes(of: answer), on: platform, release: release) } catch {
                throw .unpublishable(error)
            }
            read[answer] = feed
        }
        let decision = (question.seen ? phone.shown(feed) : phone).decide(feed)
        let rule = Effect.Shown(decision) == .nothing ? nil : answer.rule ?? SimulatedFeed.rule(decision, of: target)
        var view = PhoneView(decision, rule: rule, on: phone, target: target)
        if let rule, let detail = MatrixWords.targeted(rule, decision, version: phone.version, target) {
            view.detail = detail + (view.presentation == .app ? PhoneView.appDraws : "")
        }
        return SimulationMatrix.View(view, meant: meant)
    }

    /// The cell of a library that reads the gate itself and shows what it means.
    private func native(_ version: String, _ decision: Decision, _ meant: Effect.Shown) -> SimulationMatrix.Cell {
        // The native document gives the interval of a kill switch only (NativeFeed); for everything else GateKit uses the standard one.
        let takesStandard = library == .gatekit && decision.retryInterval != nil && decision.rule != .killSwitch
        let shown = PhoneView(
            outcome: meant.outcome,
            rule: decision.rule,
            presentation: decision.rule == nil ? .none : .app,
            message: decision.text,
            retryInterval: takesStandard ? PlatformSettings.standardRetryInterval : decision.retryInterval,
            detail: MatrixWords.native(library, decision, version: version, target)
        )
        let view = SimulationMatrix.View(shown, meant: meant)
        let hidden = decision.suppressed.map {
            Simulation.Hidden(rule: $0.rule, detail: MatrixWords.suppressed($0.reason, version: version, target.gate.version(of: $0.rule)))
        }
        return SimulationMatrix.Cell(
            version: version,
            client: library,
            meant: meant,
            untargeted: view,
            targeted: view,
            hidden: hidden.sorted { $0.rule.place < $1.rule.place },
            why: nil,
            cure: nil
        )
    }
}

extension SimulationMatrix.View {
    init(_ shown: PhoneView, meant: Effect.Shown) {
        let deviation: SimulationMatrix.Deviation? =
            switch (meant.shutsOut, shown.letsIn) {
            case (true, true): .letsIn
            case (false, false): .shutsOut
            case _ where shown.outcome != meant.outcome: .differs
            default: nil
            }
        self.init(shown: shown, deviation: deviation)
    }
}

extension TargetedAnswer {
    /// The one rule that it sends; nil if it sends none, or all.
    fileprivate var rule: Rule? {
        for part in [status, object, list, gate] {
            if case .rule(let rule, _, _)? = part { return rule }
        }
        return nil
    }
}

extension Gate {
    /// The dismissals of somebody who was shown all of it.
    fileprivate var acknowledged: Acknowledgements {
        Acknowledgements(
            optionalVersions: optionalUpdate.map { [$0.optionalVersion] } ?? [],
            alerts: alert.map { [Acknowledgements.key($0.message)] } ?? []
        )
    }
}

extension Rule {
    /// Its place in the order of rules.
    fileprivate var place: Int { Rule.allCases.firstIndex(of: self) ?? 0 }
}
