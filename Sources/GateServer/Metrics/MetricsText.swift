/// Numbers in Prometheus' text format 0.0.4.
struct MetricsText {
    private(set) var text = ""

    /// Begins a metric; its samples follow.
    mutating func begin(_ name: String, _ type: String, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    mutating func sample(_ name: String, _ labels: [(String, String)] = [], _ value: some CustomStringConvertible) {
        let inside = labels.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
        text += "\(name)\(inside.isEmpty ? "" : "{\(inside)}") \(value)\n"
    }

    mutating func histogram(_ name: String, _ labels: [(String, String)], _ histogram: Histogram) {
        let reading = histogram.reading
        for (bound, count) in reading.cumulative { sample(name + "_bucket", labels + [("le", bound)], count) }
        sample(name + "_bucket", labels + [("le", "+Inf")], reading.count)
        sample(name + "_sum", labels, reading.seconds)
        sample(name + "_count", labels, reading.count)
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
