import GateJSON
import GateModel

/// The values of a file that are proposed for one platform, chosen from those with telling names.
struct TakeoverChoice {
    /// At most one for each word.
    private(set) var leaves: [TakeoverLeaf] = []
    private(set) var doubts: [TakeoverProposal.Doubt] = []

    /// Takes the candidate that speaks most clearly for each word, of those that the platform accepts.
    /// - Parameter candidates: all of one platform, in the order of the document.
    init(_ candidates: [TakeoverProposal.Candidate]) {
        for word in TakeoverMeaning.Word.allCases {
            var usable: [TakeoverProposal.Candidate] = []
            for candidate in candidates where candidate.leaf.meaning.word == word {
                // Texts are looked at together with what says whether their rule is on.
                if !word.isMessage, let trouble = Self.trouble([candidate.leaf], isWhole: false) {
                    doubt(candidate.leaf, trouble.detail)
                } else {
                    usable.append(candidate)
                }
            }
            guard let rank = usable.map(\.rank).min() else { continue }
            let clearest = usable.filter { $0.rank == rank }.map(\.leaf)
            if word.isSwitch && Set(clearest.map(\.isOn)).count > 1 || word.isVersion && Set(clearest.map(\.value)).count > 1 {
                doubt(clearest[0], "another value seems to say something else of \(word.rawValue). Say which of them is meant.")
            } else if clearest[0].meaning.isInverted, clearest[0].isOn {
                doubt(
                    clearest[0],
                    "its name does not say clearly that everybody is blocked. If it does mean that, say \(clearest[0].meaning.text)."
                )
            } else {
                leaves.append(clearest[0])
            }
        }
    }

    /// Leaves out what would be refused, and what would shut people out for a text alone.
    mutating func makeSafe() {
        for word in TakeoverMeaning.Word.allCases where word.isMessage && word != .alertMessage && !decides(word.rule) {
            // Whether a rule is on is not for its text to say: a file may have one for another purpose.
            leaves.removeAll { $0.meaning.word == word }
        }
        while let trouble = Self.trouble(leaves, isWhole: true) {
            let concerned = leaves.filter { trouble.rule == nil || $0.meaning.word.rule == trouble.rule }
            let texts = concerned.filter { $0.meaning.word.isMessage }
            let rest = leaves.filter { leaf in !texts.contains { $0.meaning == leaf.meaning } }
            // A text that is refused does not make the rule another one.
            let isOfText = !texts.isEmpty && texts.count < concerned.count && Self.trouble(rest, isWhole: true)?.rule != trouble.rule
            let dropped = isOfText ? texts : concerned
            guard let first = dropped.first(where: { $0.meaning.word.isVersion }) ?? dropped.first else { break }
            doubt(first, trouble.detail)
            leaves.removeAll { leaf in dropped.contains { $0.meaning == leaf.meaning } }
        }
    }

    /// Whether a value is proposed that says whether a rule is on.
    private func decides(_ rule: Rule?) -> Bool {
        leaves.contains { $0.meaning.word.rule == rule && ($0.meaning.word.isSwitch || $0.meaning.word.isVersion) }
    }

    private mutating func doubt(_ leaf: TakeoverLeaf, _ why: String) {
        doubts.append(
            TakeoverProposal.Doubt(
                place: leaf.meaning.place,
                detail: "No meaning is proposed for \(TakeoverMeaning.path(of: leaf.meaning.place)): \(why)"
            )
        )
    }

    /// Why the platform would not accept what these values say together; nil if it does. Without a rule, it is about the settings.
    /// - Parameter isWhole: whether nothing else will be said; a switch of a rule with a version says nothing of that version.
    private static func trouble(_ leaves: [TakeoverLeaf], isWhole: Bool) -> (rule: Rule?, detail: String)? {
        guard var settings = leaves.first?.settings else { return nil }
        var said = TakeoverGate()
        for leaf in leaves {
            do throws(TemplateRefusal) { try said.note(leaf) } catch { return (leaf.meaning.word.rule, error.detail) }
            if leaf.meaning.word.isVersion, case .number = leaf.value, settings.versionScheme == .dotted {
                return (leaf.meaning.word.rule, "it is a number, and the platform's versions are texts such as \"4.2.0\".")
            }
        }
        var gate = Gate.open
        do throws(ModelError) {
            if let changes = said.settings { try settings.apply(json: changes) }
            for (rule, json) in try GateEdit(json: said.edit).rules {
                if !isWhole, rule.hasVersion, leaves.contains(where: { $0.meaning.word.isSwitch }) { continue }
                do throws(ModelError) { try gate.apply(GateEdit([rule: json]), settings: settings) } catch { return (rule, error.detail) }
            }
        } catch { return (nil, error.detail) }
        if let minimum = gate.requiredUpdate?.minimumVersion, let optional = gate.optionalUpdate?.optionalVersion,
            !settings.versionScheme.isOlder(minimum, than: optional)
        {
            return (.optionalUpdate, "\(optional) is not above the minimum version \(minimum), so nobody would be offered it.")
        }
        return nil
    }
}

extension TakeoverLeaf {
    /// Whether it is a switch that says that its rule is on.
    fileprivate var isOn: Bool {
        // Whatever is not a switch has been left out before.
        (try? spellings().isOn) ?? false
    }
}
