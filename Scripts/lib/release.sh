# shellcheck shell=sh
# How programs are built for use: with the Swift libraries inside, and small in memory. Source packages.sh first; the
# folder is that of the repository.

# build_release PRODUCT: builds a program as it is installed, and prints its path.
build_release() {
    link_compactly swift build -c release --product "$1" --static-swift-stdlib \
        -Xlinker --gc-sections -Xlinker -s >&2 &&
        printf '%s/%s\n' "$(swift build -c release --static-swift-stdlib --show-bin-path)" "$1"
}

# link_compactly COMMAND...: runs a build of a program that has the Swift libraries inside, with options for less
# memory, if the toolchain has LLVM's linker. Documentation/Deploying.md says what each is for.
link_compactly() {
    tools=$(swift_tools)
    if [ -x "$tools/ld.lld" ]; then
        set -- "$@" -Xswiftc -use-ld=lld -Xlinker --no-export-dynamic
        # The C library reads relocations in this form since 2.36.
        if [ "$(getconf GNU_LIBC_VERSION 2>/dev/null | sed 's/^glibc 2\.//; s/\..*//')" -ge 36 ] 2>/dev/null; then
            set -- "$@" -Xlinker -z -Xlinker pack-relative-relocs
        fi
        # The linker takes the first that it finds, static or shared: a folder with nothing but the static one.
        library=$("$tools/clang" -print-file-name=libstdc++.a)
        if [ -f "$library" ]; then
            mkdir -p .build-libraries
            ln -sf "$library" .build-libraries/libstdc++.a
            set -- "$@" -Xswiftc -Xclang-linker -Xswiftc "-L$PWD/.build-libraries"
        fi
    fi
    "$@"
}

# The folder of the toolchain's programs.
swift_tools() {
    printf '%s/../../bin' "$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')"
}
