import GateJSON
import GateModel

// Values of the model that are bodies by themselves: their own tables declare them.

extension Change: TabledBody {}
extension Plan: TabledBody {}
extension Simulation: TabledBody {}
extension SimulationMatrix: TabledBody {}
extension Window: TabledBody {}
