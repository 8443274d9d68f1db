import GateFeeds
import GateModel

/// The models of the shipped libraries accept any bytes as an answer: they decide or fail, and do the same each time.
enum ClientCheck {
    static func look(_ input: [UInt8]) {
        guard let first = input.first else { return }
        let bytes = Array(input.dropFirst())
        let version = ["4.1.0", "4", "41", "4.10", "", "x", "0", "2147483647"][Int(first) % 8]
        let code = Int32(truncatingIfNeeded: Int(first) * 11)
        func twice(_ decide: () -> ClientDecision) { hold("\(decide())" == "\(decide())", "two decisions") }
        twice { BellerophonClient.decide(bytes) }
        twice { LaunchGateClient.decide(bytes, installed: version) }
        for release in GandalfRelease.allCases { twice { GandalfClient.decide(bytes, installed: code, release: release) } }
        twice { PrinceOfVersionsAppleClient.decide(bytes, installed: version) }
        twice { PrinceOfVersionsAndroidClient.decide(bytes, installed: Int(code)) }
    }
}
