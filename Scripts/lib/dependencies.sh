# shellcheck shell=sh
# What building, testing and measuring need. Source Scripts/lib/packages.sh first.

# A line for each: its groups, what shows that it is there (see is_there), the package by its names in all releases, and
# what it is for.
dependencies='
swift,git  git                git                   fetches packages and names commits
swift      libncurses.so.6    libncurses6           a library of the Swift toolchain, which does not start without it
swift      libcurl.so.4       libcurl4,libcurl4t64  a library of the Swift toolchain
swift      libsqlite3.so.0    libsqlite3-0          a library of the Swift toolchain
swift      libxml2.so.2       libxml2               a library of the Swift toolchain
swift      libstdc++          libstdc++-dev         the C++ library Swift programs are linked with
swift      /usr/include/stdio.h  libc6-dev          the C headers Swift imports
swift      ld                 binutils              the linker Swift calls
swift      /etc/ssl/certs/ca-certificates.crt  ca-certificates  HTTPS for fetching packages
dbus       pkg-config         pkg-config            finds libraries for the build
dbus       headers:dbus-1     libdbus-1-dev         D-Bus: the headers of libdbus-1
dbus       dbus-daemon        dbus-daemon,dbus      the private bus of the simulator
python,checks,bleak  python3:ensurepip,venv  python3-venv  virtual environments, for checks and tests
bluezero,lab  /usr/bin/python3:ensurepip,venv  python3-venv  virtual environments with Python libraries of Debian
bluezero   /usr/bin/python3:dbus   python3-dbus     D-Bus for bluezero, whose sources PyPI would have to build
bluezero   /usr/bin/python3:gi     python3-gi       the main loop of GLib for bluezero, likewise
bluezero   /usr/bin/python3:cairo  python3-cairo    belongs to the metadata of that main loop
theengs,decoders  c++         g++                   builds TheengsDecoder, a Python library
theengs,decoders  python3-config  python3-dev       builds TheengsDecoder, a Python library
bats       bats               bats                  runs the tests of the command line
bats       parallel           parallel              runs several files of tests of the command line at a time
bats       ps                 procps                ends a test that takes too long
bats       picocom            picocom               uses a serial port in the tests of the command line
bats       minicom            minicom               uses a serial port in the tests of the command line
bats       script             bsdutils              gives the tests of the command line a terminal
bats,benchmarks  clang        clang                 builds what lets calls fail in tests, and programs to compare with
bats,mosquitto,lab-serial  socat  socat             uses serial ports and cuts connections in tests
mosquitto,libmosquitto  headers:libmosquitto  libmosquitto-dev  MQTT for gateways: the headers of libmosquitto
mosquitto  mosquitto          mosquitto             the broker of the tests of gateways
mosquitto  mosquitto_pub      mosquitto-clients     publishes in the tests of gateways
mosquitto  openssl            openssl               makes the certificates of the tests of gateways
checks     shellcheck         shellcheck            checks the shell scripts
checks     codespell          codespell             checks the spelling
checks     aspell             aspell                checks the spelling of documents and comments
checks     en_GB-ize          aspell-en             the dictionary of English
checks     systemd-analyze    systemd               checks the units
lab        qemu-system-x86_64 qemu-system-x86       runs the virtual machine of the lab
lab        depmod             kmod                  loads modules of the kernel of the lab
lab        xz                 xz-utils              unpacks modules of the kernel of the lab
lab        zstd               zstd                  unpacks modules of the kernel of the lab
lab,debootstrap  debootstrap  debootstrap           makes Debian systems
lab,debootstrap  gpgv         gpgv                  checks the signatures of what debootstrap fetches
lab-accessory  udevadm        udev                  uses the rule of udev in the lab
page       chromium           chromium              looks at the page
page       chromedriver       chromium-driver       drives the browser
packages   dpkg-gencontrol    dpkg-dev              makes Debian packages
packages,benchmarks  python3  python3               writes the bills of materials, and runs the measurements
lintian    lintian            lintian               checks the packages
valgrind   valgrind           valgrind              counts instructions
strace     strace             strace                counts system calls
tshark     tshark             tshark                reads captures of packets
'

# Whether something is there: a program, a library, a file, a library's headers, modules of a Python, or a dictionary.
is_there() {
    case $1 in
    headers:*) has_command pkg-config && pkg-config --exists "${1#*:}" ;;
    *python3:*) "${1%%:*}" -c "import ${1#*:}" 2>/dev/null ;;
    /*) [ -s "$1" ] ;;
    libstdc++) has_cxx_library ;;
    *.so.*) PATH="$PATH:/usr/sbin:/sbin" ldconfig -p 2>/dev/null | grep -q "^[[:space:]]*$1 " ;;
    en_GB-ize) has_command aspell && aspell dicts | grep -qx "$1" ;;
    *) PATH=$PATH:/usr/sbin:/sbin command -v "$1" >/dev/null ;;
    esac
}

# need GROUP...: remembers the packages of these groups that are missing.
need() {
    while read -r groups thing packages reason; do
        for group in "$@"; do
            case ,$groups, in
            *",$group,"*)
                is_there "$thing" || remember "$reason" "$packages"
                break
                ;;
            esac
        done
    done <<END
$dependencies
END
}

require_swift_on_path() {
    has_command swift && return
    say 'There is no "swift" on the PATH. CoreBlueZ needs Swift 6.2 or newer.'
    say 'Install it as https://www.swift.org/install/linux says, and put its usr/bin on the PATH:'
    # shellcheck disable=SC2016 # to be typed as it stands
    fail '  export PATH="/path/to/swift/usr/bin:$PATH"'
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

# install_for_build [GROUP...]: installs what a build and these groups need. Ends the script if that fails, or if there
# is no Swift that is new enough.
install_for_build() {
    require_swift_on_path
    need swift dbus "$@"
    install_missing
    require_swift_version
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

# in_cache NAME: the folder in the cache for what the standard input lists.
in_cache() {
    printf '%s/%s-%s' "$cache" "$1" "$(cksum | cut -d ' ' -f 1)"
}

# prepare_environment NAME: makes a virtual environment, unless it is there, and sets a variable to its Python, unless
# that is set. Returns 1, with the reason in `problem`, if that fails.
prepare_environment() {
    name=$1 make='python3 -m venv' bleak='bleak==3.1.0 dbus-fast==5.2.0' theengs='TheengsDecoder==2.5.0'
    case $name in
    bleak) variable=COREBLUEZ_TEST_PYTHON module=bleak wanted=$bleak ;;
    bluezero)
        variable=COREBLUEZ_TEST_BLUEZERO module=bluezero make='/usr/bin/python3 -m venv --system-site-packages'
        wanted="bluezero==0.9.1 bless==0.3.0 $bleak dbus-next==0.2.3"
        ;;
    theengs) variable=COREBLUEZ_TEST_DECODER module=TheengsDecoder wanted=$theengs ;;
    decoders)
        variable=DECODERS_PYTHON module=TheengsDecoder
        wanted="bthome-ble==3.25.0 ruuvitag_sensor==4.1.0 xiaomi-ble==1.21.2 atc-mi-interface==2.0.0"
        wanted="$wanted beacontools==2.1.0 $theengs"
        ;;
    page) variable=PAGE_PYTHON module=selenium wanted='selenium>=4.20,<5' ;;
    pictures) variable=PICTURES_PYTHON module=pyte wanted='pyte==0.8.2' ;;
    esac
    [ -z "$(printenv "$variable" || true)" ] || return 0
    # shellcheck disable=SC2086 # a list of packages
    environment=$(printf '%s\n' $wanted | in_cache "$name")
    lock_cache
    if [ ! -e "$environment/installed.txt" ] || ! "$environment/bin/python" -c "import $module" 2>/dev/null; then
        say "Installing $wanted into $environment"
        rm -rf "$environment"
        # shellcheck disable=SC2086 # a command, and a list of packages
        {
            $make "$environment" && "$environment/bin/python" -m pip install --quiet $wanted &&
                echo "$wanted" >"$environment/installed.txt"
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

# Prepares them. The tests leave out the comparisons with those that cannot be had; `left_out` has a line for each, with
# the reason. With COREBLUEZ_TEST_COMPARISONS=required, the script ends instead.
# shellcheck disable=SC2034 # `missing` is that of packages.sh
prepare_comparisons() {
    left_out=''
    for comparison in $comparisons; do
        need "$comparison"
        if try_install && prepare_environment "$comparison"; then continue; fi
        missing=''
        left_out="${left_out}Left out: the comparison with $comparison: $problem
"
    done
    [ -z "$left_out" ] || say "$left_out"
    [ -z "$left_out" ] || [ "${COREBLUEZ_TEST_COMPARISONS:-}" != required ] || exit 1
}
