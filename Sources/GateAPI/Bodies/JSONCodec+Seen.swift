import GateJSON

extension JSONCodec where Value == JSONObject {
    /// Some members of a document as the caller read them. They are only compared with what is there, so any values will do: what an older
    /// server allowed must not keep anybody from naming it.
    /// - Parameters:
    ///   - name: of the schema component.
    ///   - members: that may be named.
    static func seen(_ name: String, _ members: [String]) -> JSONCodec {
        JSONCodec(.request(name, members.map { .optional($0, .anything) })) { value, _ throws(ModelError) in
            var reader = try ObjectReader(value, "What was seen", refusesOthers: true)
            let seen = reader.members(members)
            try reader.refuseOthers()
            return seen
        } write: {
            .object($0)
        }
    }
}
