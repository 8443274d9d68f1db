import GateModel
import Testing

@Suite struct NearestNameTests {
    @Test(
        arguments: [("shpo", "shop"), ("SHOP", "shop"), ("bnak", "bank"), ("ois", "ios"), ("xyzzy", nil), ("s", nil)] as [(String, String?)]
    )
    func aMistypedNameIsAnsweredWithTheNearest(word: String, name: String?) {
        #expect(NearestName.nearest(to: word, among: ["shop", "bank", "ios", "android"]) == name)
    }

    @Test(arguments: [("", "", 0), ("a", "", 1), ("ab", "ba", 1), ("kitten", "sitting", 3), ("abc", "abc", 0), ("abcd", "acbd", 1)])
    func distanceIsCountedInLettersAndSwaps(one: String, other: String, distance: Int) {
        #expect(NearestName.distance(one, other) == distance)
    }
}
