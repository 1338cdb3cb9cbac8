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
        if reads_relative_relocations; then set -- "$@" -Xlinker -z -Xlinker pack-relative-relocs; fi
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

# Whether the C library of this machine reads relocations in the form of a few bits each.
reads_relative_relocations() {
    version=$(getconf GNU_LIBC_VERSION 2>/dev/null) || return 1
    minor=${version#glibc 2.}
    [ "$minor" != "$version" ] && [ "${minor%%.*}" -ge 36 ]
}
