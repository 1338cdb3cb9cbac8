import FoundationEssentials

/// How many files and connections the program may have open.
enum OpenFiles {
    /// The soft limit, from the line "Max open files" of proc_pid_limits(5); 1024, the kernel's default, if it cannot
    /// be read, and the greatest number for "unlimited".
    static var limit: Int {
        limit(in: (try? String(contentsOfFile: "/proc/self/limits", encoding: .utf8)) ?? "")
    }

    static func limit(in text: String) -> Int {
        let line = text.split(separator: "\n").first { $0.hasPrefix("Max open files") }
        guard let soft = line?.dropFirst("Max open files".count).split(separator: " ").first else { return 1024 }
        return soft == "unlimited" ? .max : Int(soft) ?? 1024
    }
}
