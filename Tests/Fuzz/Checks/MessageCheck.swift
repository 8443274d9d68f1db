import GateJSON
import GateModel

/// A cleaned text stays the same when cleaned again, holds nothing that is refused, and is stored and read as it is.
enum MessageCheck {
    static func look(_ input: [UInt8]) {
        let text = String(decoding: input, as: UTF8.self)
        if let clean = try? MessageText.cleaned(text, field: "/message") {
            let again = try? MessageText.cleaned(clean, field: "/message")
            hold(again.map { Array($0.utf8) } == Array(clean.utf8), "cleaning twice is not cleaning once")
            hold(!clean.unicodeScalars.contains(where: MessageText.isRefused), "a refused character came through")
        }
        guard let json = try? JSONReader.read(input), let message = try? Message(json: json, field: "/message") else { return }
        do { hold(try Message(json: message.json, field: "/message") == message, "another message comes back") } catch {
            fatalError("a message that was taken is refused when it comes again: \(error)")
        }
    }
}
