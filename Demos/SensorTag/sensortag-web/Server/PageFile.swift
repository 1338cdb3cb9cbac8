/// A file of the page. The files are in the folder Page and are built into the program.
struct PageFile {
    let type: String
    let bytes: [UInt8]

    /// The file at a path; nil if there is none.
    init?(path: String) {
        switch path {
        case "/", "/index.html": self.init("text/html; charset=utf-8", PackageResources.index_html)
        case "/page.css": self.init(style: PackageResources.page_css)
        case "/tag.css": self.init(style: PackageResources.tag_css)
        case "/icon.svg": self.init("image/svg+xml", PackageResources.icon_svg)
        case "/uPlot/uPlot.min.css": self.init(style: PackageResources.uPlot_min_css)
        case "/uPlot/uPlot.iife.min.js": self.init(script: PackageResources.uPlot_iife_min_js)
        case "/uPlot/LICENSE": self.init("text/plain; charset=utf-8", PackageResources.LICENSE)
        default:
            guard path.hasSuffix(".js"), let script = Self.scripts[String(path.dropFirst().dropLast(3))] else {
                return nil
            }
            self.init(script: script)
        }
    }

    /// The modules of the page by their names.
    private static let scripts: [String: [UInt8]] = [
        "alerts": PackageResources.alerts_js,
        "bounds": PackageResources.bounds_js,
        "csv": PackageResources.csv_js,
        "dialog": PackageResources.dialog_js,
        "elements": PackageResources.elements_js,
        "fold": PackageResources.fold_js,
        "graph": PackageResources.graph_js,
        "memory": PackageResources.memory_js,
        "orientation": PackageResources.orientation_js,
        "page": PackageResources.page_js,
        "panel": PackageResources.panel_js,
        "period": PackageResources.period_js,
        "sensors": PackageResources.sensors_js,
        "station": PackageResources.station_js,
        "storage": PackageResources.storage_js,
        "stream": PackageResources.stream_js,
        "tag": PackageResources.tag_js,
        "timeview": PackageResources.timeview_js,
        "worker": PackageResources.worker_js,
    ]

    private init(_ type: String, _ bytes: [UInt8]) {
        self.type = type
        self.bytes = bytes
    }

    private init(style bytes: [UInt8]) {
        self.init("text/css; charset=utf-8", bytes)
    }

    private init(script bytes: [UInt8]) {
        self.init("text/javascript; charset=utf-8", bytes)
    }
}
