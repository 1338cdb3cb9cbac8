extension Duration {
    /// The duration for messages, such as "1.5 seconds". It is rounded to milliseconds, or to tenths of a second from
    /// 10 s on.
    public var roundedText: String {
        let seconds = self / .seconds(1)
        let scale: Double = abs(seconds) < 9.9995 ? 1000 : 10
        let rounded = (seconds * scale).rounded() / scale
        let text = "\(rounded)"
        return (text.hasSuffix(".0") ? text.dropLast(2) : text[...]) + (rounded == 1 ? " second" : " seconds")
    }
}
