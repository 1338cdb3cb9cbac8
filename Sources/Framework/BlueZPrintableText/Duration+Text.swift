extension Duration {
    /// The duration for messages, such as "1.5 seconds". It is rounded to milliseconds, or to tenths of a second from
    /// 1 s on: what is left of a timeout of 3 s shortly after the start is 3 seconds.
    public var roundedText: String {
        let seconds = self / .seconds(1)
        let scale: Double = abs(seconds) < 0.9995 ? 1000 : 10
        let rounded = (seconds * scale).rounded() / scale
        let text = "\(rounded)"
        return (text.hasSuffix(".0") ? text.dropLast(2) : text[...]) + (rounded == 1 ? " second" : " seconds")
    }
}
