/// Finds the handler for a method and path in a table checked when it is made.
///
/// A literal segment goes before a parameter, whatever the order of the table. The check also ensures that no two routes are equally
/// particular, so reading the table once is enough to know which handler a path has.
package struct Router<Handler: Sendable>: Sendable {
    package enum Match: Sendable {
        case found(Handler, RouteParameters)
        /// The path is known, but has no such method; `allow` is for the `Allow` field, HEAD beside GET.
        case methodNotAllowed(allow: [HTTPMethod])
        case notFound
    }

    private enum Segment: Equatable, Sendable {
        case literal(String)
        case parameter(String)

        var isLiteral: Bool { if case .literal = self { true } else { false } }
    }

    private struct Entry: Sendable {
        let route: Route<Handler>
        let segments: [Segment]
        var name: String { "\(route.method) \(route.pattern)" }
    }

    /// In the order of the table.
    private let entries: [Entry]
    /// By number of segments, most literal segments first.
    private let bySegmentCount: [Int: [Entry]]

    /// - Throws: `RouterError` for the first fault of the table.
    package init(_ routes: [Route<Handler>]) throws(RouterError) {
        var entries: [Entry] = []
        for route in routes {
            let entry = Entry(route: route, segments: try Self.segments(of: route))
            if route.method == .head { throw RouterError(code: .headRoute, route: entry.name, other: nil) }
            for other in entries {
                guard let fault = Self.conflict(entry, other) else { continue }
                throw RouterError(code: fault, route: entry.name, other: other.name)
            }
            entries.append(entry)
        }
        self.entries = entries
        bySegmentCount = Dictionary(grouping: entries, by: \.segments.count).mapValues { group in
            group.sorted { $0.segments.count(where: \.isLiteral) > $1.segments.count(where: \.isLiteral) }
        }
    }

    /// - Parameter path: as `HTTPRequest.path`: percent-encoded. Each segment is decoded once; a path with a bad escape, a NUL, an
    ///   empty segment, `.` or `..`, or a slash inside a segment (`%2F`) is not found.
    package func match(_ method: HTTPMethod, _ path: String) -> Match {
        // Counted before they are looked at: sixteen kilobytes of slashes are eight thousand segments that no route has.
        guard let candidates = bySegmentCount[path == "/" ? 0 : path.utf8.count { $0 == UInt8(ascii: "/") }],
            let segments = Self.decode(path)
        else {
            return .notFound
        }
        let wanted = method == .head ? .get : method
        var allowed: Set<HTTPMethod> = []
        for entry in candidates {
            guard Self.fits(entry.segments, segments) else { continue }
            if entry.route.method == wanted {
                return .found(
                    entry.route.handler,
                    RouteParameters(pattern: entry.route.pattern, values: Self.values(entry.segments, segments))
                )
            }
            allowed.insert(entry.route.method)
        }
        if allowed.isEmpty { return .notFound }
        if allowed.contains(.get) { allowed.insert(.head) }
        return .methodNotAllowed(allow: HTTPMethod.known.filter(allowed.contains))
    }

    /// The table as text, one `METHOD pattern` a line, in its own order: kept as a golden file by the tests of each table's owner.
    package var table: String {
        entries.map { entry in
            entry.route.method.rawValue + String(repeating: " ", count: max(1, 8 - entry.route.method.rawValue.utf8.count))
                + entry.route.pattern + "\n"
        }.joined()
    }

    private static func decode(_ path: String) -> [String]? {
        guard path.utf8.first == UInt8(ascii: "/") else { return nil }
        if path.utf8.count == 1 { return [] }
        var segments: [String] = []
        for raw in path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let segment = PercentEncoding.decode(raw), !segment.isEmpty, segment != ".", segment != "..",
                !segment.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 < 0x20 || $0 == 0x7f })
            else { return nil }
            segments.append(segment)
        }
        return segments
    }

    /// Whether no literal differs. Compared by bytes: Swift would treat a composed and a decomposed letter as equal.
    private static func fits(_ pattern: [Segment], _ segments: [String]) -> Bool {
        for index in pattern.indices {
            if case .literal(let literal) = pattern[index], !literal.utf8.elementsEqual(segments[index].utf8) { return false }
        }
        return true
    }

    private static func values(_ pattern: [Segment], _ segments: [String]) -> [String: String] {
        var values: [String: String] = [:]
        for (pattern, segment) in zip(pattern, segments) {
            if case .parameter(let name) = pattern { values[name] = segment }
        }
        return values
    }

    private static func segments(of route: Route<Handler>) throws(RouterError) -> [Segment] {
        let fault = RouterError(code: .malformed, route: "\(route.method) \(route.pattern)", other: nil)
        guard route.pattern.utf8.first == UInt8(ascii: "/") else { throw fault }
        if route.pattern == "/" { return [] }
        var segments: [Segment] = []
        for raw in route.pattern.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            let isParameter = raw.hasPrefix("{") && raw.hasSuffix("}")
            let name = String(isParameter ? raw.dropFirst().dropLast() : raw)
            let segment = isParameter ? Segment.parameter(name) : .literal(name)
            guard !name.isEmpty, name != ".", name != "..",
                name.utf8.allSatisfy(ASCII.isUnreserved),
                !(isParameter && segments.contains(segment))
            else { throw fault }
            segments.append(segment)
        }
        return segments
    }

    private static func conflict(_ first: Entry, _ second: Entry) -> RouterError.Code? {
        guard first.segments.count == second.segments.count else { return nil }
        var firstIsMoreParticular = false
        var secondIsMoreParticular = false
        for pair in zip(first.segments, second.segments) {
            switch pair {
            case (.literal(let one), .literal(let other)): if one != other { return nil }
            case (.literal, .parameter): firstIsMoreParticular = true
            case (.parameter, .literal): secondIsMoreParticular = true
            case (.parameter, .parameter): break
            }
        }
        if firstIsMoreParticular && secondIsMoreParticular { return .ambiguous }
        let sameShape = !firstIsMoreParticular && !secondIsMoreParticular
        return sameShape && first.route.method == second.route.method ? .duplicate : nil
    }
}
