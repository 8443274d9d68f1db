import GateModel

/// What each library makes of a gate that is opened gradually: whom it slows, and whom it cannot.
enum OpeningLint {
    /// - Parameter libraries: those that apps of the platform use, as far as anybody knows.
    static func findings(_ change: GateChange, _ libraries: [ClientLibrary]) -> [Finding] {
        guard let opening = change.after.opening, opening != change.before.opening else { return [] }
        func those(_ wanted: Set<ClientLibrary>) -> [String] { libraries.filter(wanted.contains).map(\.title) }
        func finding(_ code: String, _ names: [String], _ detail: (String, Bool) -> String) -> [Finding] {
            guard let last = names.last else { return [] }
            let list = names.count == 1 ? last : names.dropLast().joined(separator: ", ") + " and " + last
            return [Finding(code: code, detail: detail(list, names.count > 1), field: "/killSwitch/opening")]
        }
        return finding("opening_slows", those([.bellerophon, .gatekit, .openFeature])) { names, areMany in
            "\(names) on \(change.target) \(areMany ? "are" : "is") let in at a growing share until \(opening.end): who is in stays in while "
                + "the app runs, and may be shut out again until then when it is started anew or for the first time. "
                + "The answers are kept by no cache until then; one that keeps them all the same gives everybody behind it the same."
        }
            + finding("opening_unsteady", those([.launchgate, .gandalf])) { names, areMany in
                "\(names) on \(change.target) ask\(areMany ? "" : "s") at the start and when the app comes to the front: a growing share is let in, "
                    + "and without a targeted feed somebody who is in may be shut out again at the next start."
            }
            + finding("opening_not_slowed", those([.princeOfVersions])) { names, areMany in
                "\(names) on \(change.target) know\(areMany ? "" : "s") no kill switch: its apps were never shut out, so there is nobody to let in slowly."
            }
    }
}
