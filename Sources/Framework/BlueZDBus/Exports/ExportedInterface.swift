/// An interface of an exported object: its methods, properties and signals, with their handlers.
public struct ExportedInterface {
    /// A method with the signatures of its arguments and results.
    public struct Method {
        let name: String
        let input: String
        let output: String
        let handler: (IncomingCall) -> Void

        /// Creates a method. A call with arguments of another signature is refused, and `handler` is not called.
        public init(_ name: String, input: String = "", output: String = "", handler: @escaping (IncomingCall) -> Void)
        {
            self.name = name
            self.input = input
            self.output = output
            self.handler = handler
        }
    }

    /// A property. If `get` returns nil, the object does not have the property now.
    public struct Property {
        package let name: String
        let signature: String
        package let get: () -> Value?
        let set: ((Value, IncomingCall) -> Void)?

        /// Creates a property, which is read-only if `set` is nil. `set` gets a value of the right type, and replies to
        /// the call.
        public init(
            _ name: String,
            _ signature: String,
            get: @escaping () -> Value?,
            set: ((Value, IncomingCall) -> Void)? = nil
        ) {
            self.name = name
            self.signature = signature
            self.get = get
            self.set = set
        }
    }

    /// A signal, for introspection only.
    public struct Signal {
        let name: String
        let signature: String

        /// Creates a signal with the signature of its arguments.
        public init(_ name: String, _ signature: String) {
            self.name = name
            self.signature = signature
        }
    }

    /// The interface's name.
    public let name: String
    let methods: [Method]
    package let properties: [Property]
    let signals: [Signal]

    /// Creates an interface.
    public init(_ name: String, methods: [Method] = [], properties: [Property] = [], signals: [Signal] = []) {
        self.name = name
        self.methods = methods
        self.properties = properties
        self.signals = signals
    }

    package func property(_ name: String) -> Property? {
        properties.first { $0.name == name }
    }

    /// The properties that the object has now, with their values.
    var currentProperties: [(key: String, value: Value)] {
        properties.compactMap { property in property.get().map { (property.name, $0) } }
    }
}
