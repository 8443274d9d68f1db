/// What a password must be: long, and not one that everybody tries first. No composition rules (ASVS 5.0 section 6.2).
enum PasswordRules {
    /// Unicode scalars.
    static let lengths = 12...128

    /// - Throws: `invalid_password` (422) at `field`.
    static func check(_ password: String, username: String, field: String = "/password") throws(ServiceError) {
        func refusal(_ detail: String) -> ServiceError { ServiceError(.invalid, "invalid_password", detail, field: field) }
        guard lengths.contains(password.unicodeScalars.count) else {
            throw refusal("A password has \(lengths.lowerBound) to \(lengths.upperBound) characters; a sentence is easiest to remember.")
        }
        let folded = password.lowercased()
        let bare = String(folded.filter { $0.isLetter || $0.isNumber })
        let isRepetition = Set(folded).count < 4
        let isWellKnown = wellKnown.contains { bare == $0 || bare == $0 + $0 }
        guard !isRepetition, !isWellKnown, !bare.isEmpty, bare != username.lowercased() + username.lowercased() else {
            throw refusal("This password is one of the first that anybody would try; take another.")
        }
    }

    /// Passwords of twelve characters and more that stand on the lists of leaked ones, and the product's own words.
    private static let wellKnown: Set<String> = [
        "123456789012", "1234567890123", "12345678901234", "123456789012345", "1234567890123456", "012345678901", "987654321012",
        "1q2w3e4r5t6y",
        "1qaz2wsx3edc", "qwertyuiop123", "qwertyuiop12", "qwerty123456", "qwertyuiopas", "asdfghjklqwe", "zxcvbnm12345", "password1234",
        "password12345",
        "password123456", "passwordpassword", "adminadminadmin", "administrator", "administrator1", "administrator123", "letmeinletmein",
        "iloveyou1234",
        "iloveyouiloveyou", "welcome12345", "changemechangeme", "changeme1234", "trustno1trustno1", "correcthorsebatterystaple",
        "gatehousegatehouse",
        "gatehouse1234", "gatehouse12345", "gatehouse123456", "gatehouseadmin", "admingatehouse", "gatehousepassword", "passwordgatehouse",
        "killswitch123",
        "killswitchkillswitch", "monkeymonkey", "dragondragon", "footballfootball", "baseball1234", "sunshine1234", "princess1234",
        "superman1234", "batman123456",
    ]
}
