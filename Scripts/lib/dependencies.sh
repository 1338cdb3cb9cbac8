# shellcheck shell=sh
# What building, testing and checking need. Source Scripts/lib/packages.sh first.

# What the Swift toolchain itself needs from Debian; without these `swift` does not even start.
need_swift_dependencies() {
    has_command git || need 'Swift Package Manager fetches packages with it' git
    has_library libncurses.so.6 || need 'a library of the Swift toolchain' libncurses6
    has_library libcurl.so.4 || need 'a library of the Swift toolchain' libcurl4 libcurl4t64
    has_library libsqlite3.so.0 || need 'a library of the Swift toolchain' libsqlite3-0
    has_library libxml2.so.2 || need 'a library of the Swift toolchain' libxml2
    has_cxx_library || need 'the C++ library Swift programs are linked with' 'libstdc++-*-dev'
    [ -f /usr/include/stdio.h ] || need 'the C headers Swift imports' libc6-dev
    has_command ld || need 'the linker Swift calls' binutils
    [ -s /etc/ssl/certs/ca-certificates.crt ] || need 'HTTPS for fetching packages' ca-certificates
}

# What CoreBlueZ is built on, and the bus its simulator runs.
need_dbus() {
    has_command pkg-config || need 'finds libdbus-1 for the build' pkg-config
    { has_command pkg-config && pkg-config --exists dbus-1; } ||
        need 'D-Bus: the headers of libdbus-1' libdbus-1-dev
    has_command dbus-daemon || need 'the private bus of the simulator' dbus-daemon dbus
}

# What virtual environments need.
need_python() {
    { has_command python3 && python3 -c 'import ensurepip, venv' 2>/dev/null; } ||
        need 'has virtual environments, for the checks and the tests with Python libraries' python3-venv
}

# What bluezero needs: PyPI has the sources of these modules only, so it uses Debian's Python, which has them.
need_bluezero() {
    has_debian_modules ensurepip venv || need "has virtual environments of Debian's Python, for bluezero" python3-venv
    has_debian_modules dbus || need 'D-Bus for bluezero, a Python library' python3-dbus
    has_debian_modules gi || need "GLib's main loop for bluezero, a Python library" python3-gi
    # bluezero does not use it, but the metadata of GLib's module asks for it, and pip would build it.
    has_debian_modules cairo || need "belongs to GLib's main loop for bluezero, a Python library" python3-cairo
}

has_debian_modules() {
    for module in "$@"; do
        /usr/bin/python3 -c "import $module" 2>/dev/null || return 1
    done
}

# What TheengsDecoder needs.
need_theengs() {
    has_command c++ || need 'builds TheengsDecoder, a Python library' g++
    { has_command python3 && python3 -c '
import os, sysconfig
os.stat(os.path.join(sysconfig.get_path("include"), "Python.h"))' 2>/dev/null; } ||
        need 'builds TheengsDecoder, a Python library' python3-dev
}

# What bleak needs.
need_bleak() {
    need_python
}

# What the tests of the command line need.
need_bats() {
    has_command bats || need 'runs the tests of the command line' bats
    has_command parallel || need 'runs several files of tests of the command line at a time' parallel
    has_command clang || need 'lets calls of the system fail in the tests of the command line' clang
    has_command ps || need 'ends a test that takes too long' procps
    has_command socat || need 'uses serial ports and TCP ports in the tests of the command line' socat
    has_command picocom || need 'uses a serial port in the tests of the command line' picocom
    has_command minicom || need 'uses a serial port in the tests of the command line' minicom
    has_command script || need 'gives the tests of the command line a terminal' bsdutils
}

# What gateways need.
need_mosquitto_library() {
    { has_command pkg-config && pkg-config --exists libmosquitto; } ||
        need 'MQTT for gateways: the headers of libmosquitto' libmosquitto-dev
}

# What the tests of gateways need as well.
need_mosquitto() {
    need_mosquitto_library
    has_command mosquitto || [ -x /usr/sbin/mosquitto ] || need 'the broker of the tests of gateways' mosquitto
    has_command mosquitto_pub || need 'publishes in the tests of gateways' mosquitto-clients
    has_command openssl || need 'makes the certificates of the tests of gateways' openssl
    has_command socat || need 'cuts connections in the tests of gateways' socat
}

# What the checks need.
need_checks() {
    need_python
    has_command shellcheck || need 'checks the shell scripts' shellcheck
    has_command codespell || need 'checks the spelling' codespell
    has_command aspell || need 'checks the spelling of documents and comments' aspell
    { has_command aspell && aspell dicts | grep -q '^en_GB-ize$'; } || need 'the dictionary of English' aspell-en
    has_command systemd-analyze || need 'checks the units' systemd
}

# What the lab's virtual machine needs.
need_lab() {
    has_command qemu-system-x86_64 || need 'runs the virtual machine of the lab' qemu-system-x86
    has_command debootstrap || need "fetches the lab's bluetoothd" debootstrap
    has_command gpgv || need 'checks the signatures of what debootstrap fetches' gpgv
    has_command depmod || need "loads modules of the lab's kernel" kmod
    has_command xz || need "unpacks modules of the lab's kernel" xz-utils
    has_command zstd || need "unpacks modules of the lab's kernel" zstd
    has_debian_modules ensurepip venv || need "has virtual environments of Debian's Python, for the lab" python3-venv
}

# Ends the script if there is no Swift at all, before anything is installed for it.
require_swift_on_path() {
    has_command swift && return
    say 'There is no "swift" on the PATH. CoreBlueZ needs Swift 6.2 or newer.'
    say 'Install it as https://www.swift.org/install/linux says, and put its usr/bin on the PATH:'
    # shellcheck disable=SC2016 # to be typed as it stands
    fail '  export PATH="/path/to/swift/usr/bin:$PATH"'
}

# install_for_build [FUNCTION...]: installs what a build needs, what these functions name, and what was remembered. Ends
# the script if that fails, or if there is no Swift that is new enough.
install_for_build() {
    require_swift_on_path
    need_swift_dependencies
    need_dbus
    for function in "$@"; do
        "$function"
    done
    install_missing
    require_swift_version
}

# Ends the script unless this Swift starts and is new enough.
require_swift_version() {
    description=$(swift --version 2>&1) || fail "'swift --version' failed: $description"
    version=$(printf '%s\n' "$description" | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p')
    case $version in
    '') fail "$(command -v swift) is not the Swift compiler. Put the Swift toolchain's usr/bin first on the PATH." ;;
    [0-5].* | 6.[01]) fail "Swift $version is too old: CoreBlueZ needs Swift 6.2 or newer." ;;
    esac
}

# Virtual environments, each in an ignored folder. The tests and the checks read the variables.
prepare_bleak() {
    prepare_environment bleak bleak COREBLUEZ_TEST_PYTHON
}

prepare_bluezero() {
    prepare_environment bluezero bluezero COREBLUEZ_TEST_BLUEZERO /usr/bin/python3 -m venv --system-site-packages
}

prepare_theengs() {
    prepare_environment theengs TheengsDecoder COREBLUEZ_TEST_DECODER
}

# What is downloaded is kept for all checkouts.
cache=${XDG_CACHE_HOME:-${HOME:-$(getent passwd "$(id -u)" | cut -d : -f 6)}/.cache}/corebluez

# lock_cache, unlock_cache: so that one script at a time adds to it.
lock_cache() {
    mkdir -p "$cache"
    exec 9>"$cache/lock"
    flock 9
}
unlock_cache() {
    exec 9>&-
}

# in_cache NAME FILE: the folder in the cache for what FILE lists.
in_cache() {
    printf '%s/%s-%s' "$cache" "$1" "$(cksum <"$2" | cut -d ' ' -f 1)"
}

# prepare_environment NAME MODULE VARIABLE [COMMAND...]: makes an environment with what Scripts/lib/NAME.txt lists,
# unless it is there, and sets the variable to its Python, unless it is set. The command makes the environment; without
# one, it is that of `python3`. Returns 1, with the reason in `problem`, if that fails.
prepare_environment() {
    [ -z "$(printenv "$3" || true)" ] || return 0
    name=$1 module=$2 variable=$3
    shift 3
    [ "$#" -gt 0 ] || set -- python3 -m venv
    environment=$(in_cache "$name" "Scripts/lib/$name.txt")
    lock_cache
    if [ ! -e "$environment/installed.txt" ] || ! "$environment/bin/python" -c "import $module" 2>/dev/null; then
        say "Installing $name into $environment"
        rm -rf "$environment"
        {
            "$@" "$environment" &&
                "$environment/bin/python" -m pip install --quiet --requirement "Scripts/lib/$name.txt" &&
                cp "Scripts/lib/$name.txt" "$environment/installed.txt"
        } >"$environment.log" 2>&1 || {
            cat "$environment.log" >&2
            problem="pip cannot install it ($environment.log); set $variable to a Python that has it"
            unlock_cache
            return 1
        }
    fi
    unlock_cache
    export "$variable=$environment/bin/python"
}

# Programs in Python, of others, with which the tests compare this one.
comparisons='bleak bluezero theengs'

need_comparisons() {
    for comparison in $comparisons; do
        "need_$comparison"
    done
}

# Prepares them. The tests leave out the comparisons with those that cannot be had; `left_out` has a line for each, with
# the reason. With COREBLUEZ_TEST_COMPARISONS=required, the script ends instead.
# shellcheck disable=SC2034 # `missing` is that of packages.sh
prepare_comparisons() {
    left_out=''
    for comparison in $comparisons; do
        "need_$comparison"
        if try_install && "prepare_$comparison"; then continue; fi
        missing=''
        left_out="${left_out}Left out: the comparison with $(paste -sd ' ' "Scripts/lib/$comparison.txt"): $problem
"
    done
    [ -z "$left_out" ] || say "$left_out"
    [ -z "$left_out" ] || [ "${COREBLUEZ_TEST_COMPARISONS:-}" != required ] || exit 1
}
