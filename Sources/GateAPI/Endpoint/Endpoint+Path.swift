import GateJSON

extension Endpoint {
    /// The endpoint that a request is for; nil where there is none.
    /// - Parameter path: with its query, if any.
    package init?(_ method: Declaration.Method, _ path: String) {
        let given = path.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false)
        let found = Self.allCases.first { endpoint in
            let pattern = endpoint.pattern.split(separator: "/", omittingEmptySubsequences: false)
            return endpoint.method == method && pattern.count == given.count
                && zip(pattern, given).allSatisfy { $0.hasPrefix("{") ? !$1.isEmpty : $0 == $1 }
        }
        guard let found else { return nil }
        self = found
    }

    /// The parameters' names in the order of the pattern.
    package var parameterNames: [String] {
        pattern.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
    }

    /// The path with `values` in place of the parameters, in their order, each percent-encoded as one segment, and the query.
    /// - Parameter query: names and values; a nil value leaves the name out.
    /// - precondition: as many values as the pattern has parameters, none empty, and only names that the endpoint knows.
    package func path(_ values: String..., query: [(name: String, value: String?)] = []) -> String {
        path(values, query: query)
    }

    /// Like ``path(_:query:)-(String...,_)``.
    package func path(_ values: [String], query: [(name: String, value: String?)] = []) -> String {
        precondition(values.count == parameterNames.count && values.allSatisfy { !$0.isEmpty }, "\(self) takes \(parameterNames)")
        precondition(query.allSatisfy { queryNames.contains($0.name) }, "\(self) knows the query \(queryNames)")
        var rest = values[...]
        let segments = pattern.split(separator: "/").map { segment in
            segment.hasPrefix("{") ? Self.encoded(rest.removeFirst()) : String(segment)
        }
        let pairs = query.compactMap { pair in pair.value.map { "\(pair.name)=\(Self.encoded($0))" } }
        return "/" + segments.joined(separator: "/") + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
    }

    /// Everything but RFC 3986's unreserved characters escaped, so that one value stays one segment, or one query value, for every reader.
    private static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF")
        return text.utf8.reduce(into: "") { encoded, byte in
            if byte.isASCIILetter || byte.isASCIIDigit || "-._~".utf8.contains(byte) {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                encoded.append("%")
                encoded.append(digits[Int(byte >> 4)])
                encoded.append(digits[Int(byte & 15)])
            }
        }
    }
}
