/// One server is one environment: what it is called, the colour of its bar, and whether dangerous changes must be typed.
package struct Environment: Sendable, Hashable {
    package let name: String
    package let colour: String
    /// Whether tier 2 and 3 changes want the typed confirmation and a reason.
    package let isProtected: Bool

    package init(name: String, colour: String, isProtected: Bool) {
        self.name = name
        self.colour = colour
        self.isProtected = isProtected
    }
}
