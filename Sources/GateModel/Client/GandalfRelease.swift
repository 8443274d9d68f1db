/// Releases of Gandalf that behave differently, by the last of each kind. Most phones have one before 1.4.1, which was never tagged.
public enum GandalfRelease: String, Sendable, Hashable, CaseIterable {
    /// Up to 1.3.1: an optional update goes before an alert.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    case upTo1_3_1 = "1.3.1"
    /// 1.3.2 to 1.4.0: a version that is no integer is an uncaught exception.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    case upTo1_4_0 = "1.4.0"
    /// 1.4.1: such a version turns all rules off.
    case head = "1.4.1"

    /// The one to show where nobody asks for another: it is the last with a tag.
    public static let usual = upTo1_4_0
}
