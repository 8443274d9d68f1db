/// Numbers in Prometheus' text format 0.0.4.
struct MetricsText {
    typealias Labels = [(name: String, value: String)]

    private(set) var text = ""

    /// A metric with one value; nil leaves it out.
    mutating func add(_ name: String, _ type: String, _ help: String, _ value: (some CustomStringConvertible)?) {
        if let value { add(name, type, help, for: [value]) { ([], $0) } }
    }

    /// A metric with a value for each of several things; it is named even while there are none.
    /// - Parameter sample: the labels and the value of one of them.
    mutating func add<Item, Value: CustomStringConvertible>(
        _ name: String,
        _ type: String,
        _ help: String,
        for items: [Item],
        _ sample: (Item) -> (labels: Labels, value: Value)
    ) {
        begin(name, type, help)
        for (labels, value) in items.lazy.map(sample) { self.sample(name, labels, value) }
    }

    /// A histogram, or one for each set of labels.
    mutating func add(_ name: String, _ help: String, _ histograms: (labels: Labels, histogram: Histogram)...) {
        begin(name, "histogram", help)
        for (labels, histogram) in histograms {
            let reading = histogram.reading
            for (bound, count) in reading.cumulative { sample(name + "_bucket", labels + [("le", bound)], count) }
            sample(name + "_bucket", labels + [("le", "+Inf")], reading.count)
            sample(name + "_sum", labels, reading.seconds)
            sample(name + "_count", labels, reading.count)
        }
    }

    private mutating func begin(_ name: String, _ type: String, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    private mutating func sample(_ name: String, _ labels: Labels, _ value: some CustomStringConvertible) {
        let inside = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
        text += "\(name)\(inside.isEmpty ? "" : "{\(inside)}") \(value)\n"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
