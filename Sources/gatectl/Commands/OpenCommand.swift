import ArgumentParser
import GateAPI
import GateJSON
import GateModel

struct OpenCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "open",
        abstract: "Let users in: lift the kill switch, or everything that keeps anybody out.",
        discussion: """
            --all-gates also clears the forced update, the minimum version and a blocking alert. An optional update and an alert that \
            can be dismissed keep nobody out and stay.

            --over 10m lets callers in at a growing share, so that not all phones return in the same second; the plan says which \
            libraries that slows. Opening without it, or killing, ends this at once.

            EXAMPLES
              gatectl open shop ios -r INC-123
              gatectl open shop ios --over 10m -r INC-123
              gatectl open shop all --all-gates -r "incident over"
            """
    )

    @OptionGroup var target: TargetArguments
    @Flag(name: .customLong("all-gates"), help: "Also clear forced update, minimum version and blocking alert.") var allGates = false
    @Option(name: .long, help: "Let callers in gradually, over this long: 10s to 24h.") var over: Span?
    @OptionGroup(title: "Write") var write: WriteOptions
    @OptionGroup(title: "Write") var wait: WaitOptions
    @OptionGroup(title: "Write") var revision: RevisionOption
    @OptionGroup var common: CommonOptions

    func validate() throws { try wait.check(with: write) }

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        var flow = try await WriteFlow.begin(session, write, revision, wait)
        // Whoever believes that everybody is in must see this, so -q does not hide it; a program reads the state.
        if !console.isJSON { flow.afterwards = { StillShut.lines($0).forEach(console.say) } }
        try await flow.edit(target, "open", "Open", over: over?.seconds) { edit([$0.target.gate]) }
    }

    /// The rules to clear of gates as they stand: an alert only if one of them blocks with it.
    func edit(_ gates: [Gate]) -> GateEdit {
        guard allGates else { return GateEdit([.killSwitch: nil]) }
        var rules: [Rule: JSONValue?] = [.killSwitch: nil, .forceUpdate: nil, .requiredUpdate: nil]
        if gates.contains(where: { $0.blockingAlert != nil }) { rules.updateValue(nil, forKey: .alert) }
        return GateEdit(rules)
    }
}
