import ArgumentParser
import GatewayProtocol

extension GatewayName: @retroactive ExpressibleByArgument {
    /// A name as an argument.
    public init?(argument: String) { self.init(argument) }
}
