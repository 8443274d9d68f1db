import GateModel

/// How each library reacts to a gate that is opened gradually: which phones are slowed down, and which cannot be.
enum OpeningLint {
    /// - Parameter libraries: those that the platform's apps use, as far as is known.
    static func findings(_ change: GateChange, _ libraries: [ClientLibrary]) -> [Finding] {
        guard let opening = change.after.opening, opening != change.before.opening else { return [] }
        func those(_ wanted: Set<ClientLibrary>) -> [String] { libraries.filter(wanted.contains).map(\.title) }
        func finding(_ code: String, _ names: [String], _ detail: (String, Bool) -> String) -> [Finding] {
            guard let last = names.last else { return [] }
            let list = names.count == 1 ? last : names.dropLast().joined(separator: ", ") + " and " + last
            return [Finding(code: code, detail: detail(list, names.count > 1), field: "/killSwitch/opening")]
        }
        return finding("opening_slows", those([.bellerophon, .gatekit, .openFeature])) { names, areMany in
            "\(names) on \(change.target) \(areMany ? "are" : "is") let in at a growing share until \(opening.end): whoever is in stays in while "
                + "the app runs, but until then may be shut out again when the app is restarted or started for the first time. "
                + "Until then no cache may keep the answers; one that keeps them all the same gives everybody behind it the same answer."
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
