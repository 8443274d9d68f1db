import GateModel

/// What a password must be: long, and not one that everybody tries first. No composition rules (ASVS 5.0 section 6.2).
enum PasswordRules {
    /// - Throws: `invalid_password` (422) at `field`.
    static func check(_ password: String, username: String, field: String = "/password") throws(ServiceError) {
        func refusal(_ detail: String) -> ServiceError { ServiceError(.invalid, "invalid_password", detail, field: field) }
        let lengths = Password.lengths
        guard lengths.contains(password.unicodeScalars.count) else {
            throw refusal("A password has \(lengths.lowerBound) to \(lengths.upperBound) characters; a sentence is easiest to remember.")
        }
        let folded = password.lowercased()
        let bare = String(folded.filter { $0.isLetter || $0.isNumber })
        let isRepetition = Set(folded).count < 4
        guard !isRepetition, !WellKnownPasswords.contain(bare), !bare.isEmpty, bare != username.lowercased() + username.lowercased() else {
            throw refusal("This password is one of the first that anybody would try; choose another.")
        }
    }
}
