import Foundation
import GateJSON
import GateModel
import Testing

@Suite struct MessageTextTests {
    @Test(arguments: [
        ("Back at 09:30.", "Back at 09:30."), ("  Back \n", "Back"), ("\u{2003}\u{85}Back\u{2028}\u{3000}", "Back"), ("a\r\nb", "a\nb"),
        ("a\nb", "a\nb"),
        ("e\u{301}", "\u{E9}"), ("\u{1100}\u{1161}", "\u{AC00}"),
        // Characters whose lower 16 bits are those of a letter that takes the accent: 0041 and AC00.
        ("\u{10041}\u{301}", "\u{10041}\u{301}"), ("\u{2AC00}\u{11A8}", "\u{2AC00}\u{11A8}"), ("<b>&\"quotes\"</b>", "<b>&\"quotes\"</b>"),
        ("👩‍👩‍👧", "👩‍👩‍👧"), ("שלום", "שלום"),
        ("a\u{200D}", "a\u{200D}"),
        // Characters that are taken apart into marks which belong before those that precede them.
        ("x\u{301}\u{F73}y", "x\u{F71}\u{F72}\u{301}y"), ("x\u{301}\u{F75}y", "x\u{F71}\u{F74}\u{301}y"),
        ("x\u{301}\u{F81}y", "x\u{F71}\u{F80}\u{301}y"), ("\u{1E9B}\u{323}\u{F73}", "\u{1E9B}\u{F71}\u{F72}\u{323}"),
        ("x\u{301}\u{F73}\u{F73}", "x\u{F71}\u{F71}\u{F72}\u{F72}\u{301}"),
    ])
    func textIsTrimmedWithLineFeedsInNFC(text: String, clean: String) throws {
        let cleaned = try MessageText.cleaned(text, field: "")
        #expect(cleaned.utf8.elementsEqual(clean.utf8))
        #expect(try MessageText.cleaned(cleaned, field: "").utf8.elementsEqual(cleaned.utf8), "cleaning twice changes nothing")
    }

    /// What is published is cleaned once more and compared: a text that changes then is one that nobody can ever publish.
    @Test func cleaningTwiceChangesNoCharacterBetweenMarks() throws {
        // One of each side of every class in the decompositions; Hangul syllables have no marks.
        let marks = ["\u{334}", "\u{3099}", "\u{F71}", "\u{323}", "\u{301}", "\u{345}"]
        let scalars = (UInt32(0xA0)...0x2FA1D).filter { !(0xAC00...0xD7A3).contains($0) }.compactMap(Unicode.Scalar.init).map(String.init)
        let decomposed = scalars.filter { !$0.decomposedStringWithCanonicalMapping.utf8.elementsEqual($0.utf8) }
        #expect(decomposed.count >= 2061)
        let others = marks.dropFirst() + marks.prefix(1)
        var changed: [String] = []
        for (mark, other) in zip(marks, others) {
            for character in decomposed {
                for text in ["x\(mark)\(character)y", "x\(character)\(mark)", "x\(mark)\(character)\(other)"] {
                    let once = try MessageText.cleaned(text, field: "")
                    if !(try MessageText.cleaned(once, field: "").utf8.elementsEqual(once.utf8)) { changed.append(text) }
                }
            }
        }
        #expect(changed == [])
    }

    @Test(
        arguments: [
            0x00, 0x01, 0x08, 0x09, 0x0B, 0x0C, 0x0D, 0x1B, 0x1F, 0x7F, 0x80, 0x85, 0x9F, 0x061C, 0x200E, 0x200F, 0x202A, 0x202B, 0x202C,
            0x202D, 0x202E, 0x2028,
            0x2029, 0x2066, 0x2067, 0x2068, 0x2069, 0xFDD0, 0xFDEF, 0xFFFE, 0xFFFF, 0x1FFFE, 0x10FFFF, 0xE0001, 0xE0020, 0xE007F,
        ] as [UInt32]
    )
    func charactersThatDisguiseOrBreakADialogAreRefused(value: UInt32) throws {
        let text = "a\(Character(try #require(Unicode.Scalar(value))))b"
        #expect { try MessageText.cleaned(text, field: "/alert/message") } throws: { error in
            let error = error as? ModelError
            return error?.code == "invalid_message" && error?.field == "/alert/message"
                && error?.detail.contains(String(value, radix: 16, uppercase: true)) == true
        }
    }

    @Test(arguments: ["", " ", "\n\t ", "\u{A0}\u{2003}", "\u{200B}", "\u{200D}\u{FEFF}", "\u{3164}", "\u{AD} \u{2060}", "\u{2800}"])
    func textWithNothingToSeeIsRefused(text: String) {
        #expect { try MessageText.cleaned(text, field: "") } throws: { ($0 as? ModelError)?.detail.contains("empty") == true }
    }

    @Test func lengthCountsUnicodeScalarsAfterCleaning() throws {
        #expect(try MessageText.cleaned(" " + String(repeating: "é", count: 500) + " ", field: "").unicodeScalars.count == 500)
        #expect(try MessageText.cleaned(String(repeating: "e\u{301}", count: 500), field: "").unicodeScalars.count == 500)
        _ = try MessageText.cleaned(String(repeating: "😀", count: 500), field: "")
        #expect { try MessageText.cleaned(String(repeating: "a", count: 501), field: "") } throws: {
            ($0 as? ModelError)?.detail.contains("501") == true
        }
    }
}
