/// A file of the page. The files are in the folder Page and are built into the program.
struct PageFile {
    let type: String
    let bytes: [UInt8]

    /// The file at a path; nil if there is none.
    init?(path: String) {
        switch path {
        case "/", "/index.html": self.init("text/html; charset=utf-8", PackageResources.index_html)
        case "/page.css": self.init("text/css; charset=utf-8", PackageResources.page_css)
        case "/icon.svg": self.init("image/svg+xml", PackageResources.icon_svg)
        case "/page.js": self.init(script: PackageResources.page_js)
        case "/station.js": self.init(script: PackageResources.station_js)
        case "/tag.js": self.init(script: PackageResources.tag_js)
        case "/panel.js": self.init(script: PackageResources.panel_js)
        case "/sensors.js": self.init(script: PackageResources.sensors_js)
        case "/graph.js": self.init(script: PackageResources.graph_js)
        case "/orientation.js": self.init(script: PackageResources.orientation_js)
        case "/elements.js": self.init(script: PackageResources.elements_js)
        default: return nil
        }
    }

    private init(_ type: String, _ bytes: [UInt8]) {
        self.type = type
        self.bytes = bytes
    }

    private init(script bytes: [UInt8]) {
        self.init("text/javascript; charset=utf-8", bytes)
    }
}
