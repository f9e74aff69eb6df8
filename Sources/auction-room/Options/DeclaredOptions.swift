internal import ArgumentParser
internal import FoundationEssentials

/// A part of `serve --help-all` and of `docker/CONFIGURATION.md`.
protocol OptionSection {
    static var title: String { get }
    /// Markdown above the table of the document; empty if there is nothing to add.
    static var note: String { get }
    /// In the order of their application.
    static var options: [ServeOption] { get }
}

extension OptionSection {
    static var note: String { "" }
}

extension ServeOption {
    static var sections: [any OptionSection.Type] {
        [ServingSection.self, OperationSection.self, IdentitySection.self, LimitSection.self]
    }
    /// In the order of their application.
    static var all: [ServeOption] { sections.flatMap { $0.options } }

    /// The variables in the environment that look like options and are none, such as those of an earlier version.
    static var unknownVariables: [String] {
        let known = Set(all.map(\.variable) + ["AUCTION_ROOM_TOKEN"])
        return ProcessInfo.processInfo.environment.keys.filter { $0.hasPrefix("AUCTION_ROOM_") && !known.contains($0) }.sorted()
    }
}

/// The options of a section for ArgumentParser, which finds a type's options by reflection: the mirror shows it those of the table.
struct DeclaredOptions<Section: OptionSection>: ParsableArguments, CustomReflectable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Texts of the options that were given, by name.
    private var given: [String: String] = [:]

    init() {}

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        for option in Section.options {
            let key = Key(stringValue: option.name)
            if option.isRepeatable {
                let texts = try values.decode(Option<[String]>.self, forKey: key).wrappedValue
                given[option.name] = texts.isEmpty ? nil : texts.joined(separator: " ")
            } else {
                given[option.name] = try values.decode(Option<String?>.self, forKey: key).wrappedValue
            }
        }
    }

    var customMirror: Mirror {
        Mirror(
            self,
            children: Section.options.map { (label: $0.name, value: Self.wrapper(of: $0)) })
    }

    private static func wrapper(of option: ServeOption) -> Any {
        let name = NameSpecification.customLong(option.name)
        if option.isRepeatable {
            return Option<[String]>(wrappedValue: [], name: name, parsing: .singleValue, help: option.help)
        }
        return Option<String?>(name: name, help: option.help)
    }

    /// Applies options, variables and defaults in the order of the section.
    func apply(to settings: inout Settings) throws(ConfigurationError) {
        for option in Section.options { try option.apply(given[option.name], to: &settings) }
    }
}
