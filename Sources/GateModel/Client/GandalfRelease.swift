/// The groups of Gandalf releases that behave differently, each named by its last release. Most phones have one before 1.4.1, which was
/// never tagged.
public enum GandalfRelease: String, Sendable, Hashable, CaseIterable {
    /// Up to 1.3.1: an optional update takes precedence over an alert.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    case upTo1_3_1 = "1.3.1"
    /// 1.3.2 to 1.4.0: a version that is not an integer causes an uncaught exception.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    case upTo1_4_0 = "1.4.0"
    /// 1.4.1: such a version turns all rules off.
    case head = "1.4.1"

    /// The default where no release is named: the last one with a tag.
    public static let usual = upTo1_4_0
}
