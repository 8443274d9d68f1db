import GateJSON
import GateModel

/// One document for every library at once, for apps that already poll a single shared address.
///
/// The names do not collide: Bellerophon's contain capitals, which platform keys cannot, and Prince of Versions' names are not allowed as
/// platform keys (wire formats section 6).
enum CombinedFeed {
    /// Bellerophon's four members of one platform, then the whole app's platform objects, then its version lists.
    static func document(status: JSONObject, objects: JSONObject, lists: JSONObject) -> JSONObject {
        JSONObject(uniqueMembers: status.members + objects.members + lists.members)
    }
}
