import GateJSON
import GateModel

/// The lists of Prince of Versions.
extension DocumentReader {
    mutating func readList(_ items: [JSONValue], of name: String, into contents: inout Contents) {
        let isCode = name.hasPrefix("android")
        var configs: [PrinceConfig] = []
        for (index, item) in items.enumerated() {
            let path = "/\(name)/\(index)"
            guard let object = item.object else {
                note(path, "is \(item.kindInWords), not an object")
                continue
            }
            var config = PrinceConfig()
            if let value = object["required_version"], !value.isNull {
                config.required = version(value, path + "/required_version", isCode: isCode)
            }
            if let value = object["last_version_available"], !value.isNull {
                config.last = version(value, path + "/last_version_available", isCode: isCode)
            }
            switch object["notify_last_version_frequency"] {
            case nil, .null: break
            case .string(let word): config.isShownAlways = word.lowercased() == "always"
            case let other?: note(path + "/notify_last_version_frequency", "is \(other.kindInWords), not a text")
            }
            switch object["requirements"] {
            case nil, .null: break
            case .object(let object): config.requirements = GateValue.members(of: object)
            case let other?: note(path + "/requirements", "is \(other.kindInWords), not an object")
            }
            config.meta = meta(object["meta"], path + "/meta")
            configs.append(config)
        }
        contents.configs = configs
    }

    mutating func meta(_ value: JSONValue?, _ path: String) -> [String: GateValue] {
        switch value {
        case nil, .null: return [:]
        case .object(let object): return GateValue.members(of: object)
        case let other?:
            note(path, "is \(other.kindInWords), not an object")
            return [:]
        }
    }
}
