import BlueZPrintableText

extension FleetReport {
    /// The report for users: two tables, with all text escaped.
    public var lines: [String] {
        guard !gateways.isEmpty else { return ["No gateway has published a status under this prefix"] }
        let heard = devices.reduce(into: [String: Int]()) { counts, device in
            for hearing in device.heard { counts[hearing.gateway, default: 0] += 1 }
        }
        let rooms = gateways.map { gateway in
            [
                gateway.gateway, gateway.state.rawValue, gateway.powered.map { $0 ? "on" : "off" } ?? "",
                gateway.usedLinks, gateway.free.map(String.init) ?? "",
                gateway.state == .online ? "\(heard[gateway.gateway] ?? 0)" : "",
            ]
        }
        let things = devices.map { device in
            [
                device.device.description, device.name ?? "",
                device.heard.map { "\($0.gateway) \($0.rssi.map { "\($0) dBm" } ?? "?")" }.joined(separator: ", "),
                device.links.joined(separator: ", "),
            ]
        }
        return Self.table(["GATEWAY", "STATE", "BLUETOOTH", "LINKS", "FREE", "HEARS"], rooms) + [""]
            + Self.table(["DEVICE", "NAME", "HEARD BY", "LINK THROUGH"], things)
    }

    private static func table(_ titles: [String], _ rows: [[String]]) -> [String] {
        let rows = [titles] + rows.map { $0.map { $0.escapedForTerminal() } }
        let widths = titles.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { text, width in
                text + String(repeating: " ", count: width - text.count)
            }
            let line = cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }
}

extension FleetReport.Gateway {
    /// The number of links in use.
    fileprivate var usedLinks: String {
        guard let slots, let free else { return "" }
        return "\(max(0, slots - free))/\(slots)"
    }
}
