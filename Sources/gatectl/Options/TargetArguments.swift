import ArgumentParser
import GateJSON
import GateModel

/// `shop ios`: the app and the platforms of a write.
struct TargetArguments: ParsableArguments {
    @Argument(help: "The app's key, such as shop, or all.", completion: LiveNames.apps)
    var app: String

    @Argument(help: "ios, android, several with commas, or all.", completion: LiveNames.platforms)
    var platform: String
}
