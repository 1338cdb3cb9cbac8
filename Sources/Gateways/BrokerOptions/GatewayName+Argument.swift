import ArgumentParser
import GatewayProtocol

extension GatewayName: ExpressibleByArgument {
    /// Parses a name; nil if it has characters other than letters, digits, _ and -.
    public init?(argument: String) { self.init(argument) }
}
