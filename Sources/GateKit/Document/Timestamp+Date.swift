import Foundation
import GateJSON

extension Timestamp {
    /// The moment as Foundation has it.
    var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1_000) }
}
