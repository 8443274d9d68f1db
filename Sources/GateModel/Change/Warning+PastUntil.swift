public import GateJSON

extension Warning {
    /// What is said of a document's kill switch whose end has come since the document was written.
    public static func past(_ until: Timestamp, of target: TargetKey) -> Warning {
        Warning(
            code: "past_until",
            detail: "\(target): the document's kill switch was to lift itself at \(until), which is past; it is left out."
        )
    }
}
