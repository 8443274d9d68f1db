package import GateJSON
package import GateModel

/// Body of `POST /rehearsals`.
package struct RehearsalRequest: TabledBody {
    package var app: String
    package var platform: String
    /// The whole gate: a rule that is not named is off. Nil for the one in force.
    package var gate: GateEdit?
    /// For how many seconds; nil for ``Rehearsal/standardSpan``.
    package var span: Int64?

    package init(app: String, platform: String, gate: GateEdit? = nil, span: Int64? = nil) {
        self.app = app
        self.platform = platform
        self.gate = gate
        self.span = span
    }

    package static let table = FieldTable<RehearsalRequest>(
        request: "RehearsalRequest",
        "A rehearsal",
        .needed("app", .key, \.app),
        .needed("platform", .key, \.platform),
        .optional("gate", .edit, \.gate),
        .optional("for", .rehearsalSpan, \.span),
        make: RehearsalRequest.init
    )
}

/// Body of `PUT /rehearsals/{id}`: what is named is replaced, the rest stays.
package struct RehearsalPatch: TabledBody {
    /// The whole gate: a rule that is not named is off.
    package var gate: GateEdit?
    /// For how many seconds from now on.
    package var span: Int64?

    package init(gate: GateEdit? = nil, span: Int64? = nil) {
        self.gate = gate
        self.span = span
    }

    package static let table = FieldTable<RehearsalPatch>(
        request: "RehearsalPatch",
        "A rehearsal",
        .optional("gate", .edit, \.gate),
        .optional("for", .rehearsalSpan, \.span),
        make: RehearsalPatch.init
    )
}

extension JSONCodec where Value == Int64 {
    /// `90s`, `30m`, `2h`, `1d`; written in seconds.
    fileprivate static var rehearsalSpan: JSONCodec {
        JSONCodec(.string(2...6, pattern: "^[1-9][0-9]{0,4}[smhd]$")) { value, name throws(ModelError) in
            let text = try JSONCodec<String>.string.read(value, name)
            let unit: Int64? =
                switch text.utf8.last {
                case UInt8(ascii: "s"): 1
                case UInt8(ascii: "m"): 60
                case UInt8(ascii: "h"): 3_600
                case UInt8(ascii: "d"): 86_400
                default: nil
                }
            let digits = text.utf8.dropLast()
            let isNumber = (1...5).contains(digits.count) && digits.allSatisfy { $0 &- 0x30 < 10 } && digits.first != 0x30
            guard let unit, isNumber, let number = Int64(text.dropLast()), Rehearsal.spans.contains(number * unit) else {
                throw .invalid("invalid_span", "\(name) is a span from 1m to 24h, such as 30m or 2h.")
            }
            return number * unit
        } write: {
            .string("\($0)s")
        }
    }
}
