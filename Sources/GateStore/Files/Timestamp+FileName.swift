import GateJSON

extension Timestamp {
    /// `20261122T110703123`, in the names of what is kept of a moment; sorts by time.
    var inFileNames: String { description.filter { $0.isNumber || $0 == "T" } }
}
