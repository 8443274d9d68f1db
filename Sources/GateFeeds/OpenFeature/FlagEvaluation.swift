package import GateJSON
import GateModel

/// The flags of one phone, in the form of the OpenFeature Remote Evaluation Protocol 0.3 (`evaluationSuccess` of its
/// `service/openapi.yaml`).
package struct FlagEvaluation: Sendable {
    private let decision: Decision
    private let target: Target
    /// Whether another phone may get a different answer.
    private let isTargeted: Bool

    init(_ decision: Decision, of target: Target, for phone: Phone) {
        self.decision = decision
        self.target = target
        let gate = target.gate
        let looksAtVersions = gate.requiredUpdate != nil || gate.optionalUpdate != nil
        let looksAtLanguages = !phone.languages.isEmpty && gate.hasLanguages
        isTargeted = phone.version != nil && looksAtVersions || looksAtLanguages
    }

    /// One flag.
    package func document(of key: FlagKey) -> JSONObject {
        let (value, variant) = key.value(of: decision)
        return [
            "key": .string(key.rawValue), "value": value, "variant": .string(variant),
            // OpenFeature's words: the answer depends on what the phone sent, or is the same for all.
            "reason": .string(isTargeted ? "TARGETING_MATCH" : "STATIC"),
            "metadata": [
                "app": .string(target.key.app.text), "platform": .string(target.key.platform.text),
                "revision": .integer(target.revision), "sequence": .integer(target.sequence),
            ],
        ]
    }

    /// All flags, in the order of ``FlagKey``.
    package var documents: [JSONObject] { FlagKey.allCases.map(document) }
}
