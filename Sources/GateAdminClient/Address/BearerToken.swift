/// A secret that opens the admin API. It is written into one header and nowhere else.
package struct BearerToken: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    let secret: String

    /// The token in `text`, or nil when it cannot stand in a header: empty, or with anything but printable ASCII in it.
    package init?(_ text: String) {
        let text = text.trimmed
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        secret = text
    }

    /// The public part of a token, by which it is listed and revoked: the second word of `gate_{id}_…`; nil for a token of another form.
    package var id: String? {
        let words = secret.split(separator: "_")
        return words.count >= 3 && words[0] == "gate" ? String(words[1]) : nil
    }

    /// The token's text, for the one file that keeps it.
    package var textForSafekeeping: String { secret }

    package var description: String { "token" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
