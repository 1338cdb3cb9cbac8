import ArgumentParser
import BlueZSimulatedSensorTag

/// The value of `--simulate`: models, separated by commas. Any text is accepted, because the parser would treat an
/// option with an invalid value as a flag, so that a typing error would simulate another model.
package struct SimulatedModels: ExpressibleByArgument, CustomStringConvertible, Sendable {
    private let words: [String]

    package init(_ model: SensorTagModel) { words = [model.rawValue] }

    package init?(argument: String) {
        words = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    /// The named models.
    package var models: [SensorTagModel] { words.compactMap { SensorTagModel(rawValue: $0) } }

    /// Throws an error that names the first word that is not a model.
    package func validate() throws {
        guard let unknown = words.first(where: { SensorTagModel(rawValue: $0) == nil }) else { return }
        let known = Self.allValueStrings.joined(separator: ", ")
        throw ValidationError("There is no model \"\(unknown)\" to simulate; use one of: \(known)")
    }

    package var description: String { words.joined(separator: ",") }

    package static var allValueStrings: [String] { SensorTagModel.allCases.map(\.rawValue) }
    package static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
