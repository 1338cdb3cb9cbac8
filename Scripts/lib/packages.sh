# shellcheck shell=sh
# Debian packages: collect what is missing, then install it at once, saying what and why. All messages go to standard
# error, so that a script's output stays data.

missing=''
lists_are_new=''
problem=''

say() {
    printf '%s\n' "$*" >&2
}

fail() {
    say "$@"
    exit 1
}

# Prints the commands in the comment of the script, of the folder Scripts, and ends it.
usage() {
    say 'Usage:'
    sed -n '/^$/q; /^#/!q; s/^#   /  /p' "Scripts/${0##*/}" >&2
    exit 64
}

has_command() {
    command -v "$1" >/dev/null 2>&1
}

# remember REASON NAMES: a missing package; of several names, with commas, this release has one.
remember() {
    missing="$missing$1|$2
"
}

# available_package NAMES: the first that apt can install; the very first if apt knows none of them.
available_package() {
    first=''
    for name in $(printf %s "$1" | tr , ' '); do
        [ "$name" != libstdc++-dev ] || name=$(cxx_package)
        first=${first:-$name}
        if apt-cache policy "$name" 2>/dev/null | grep -q 'Candidate: [^(]'; then
            first=$name
            break
        fi
    done
    printf '%s' "$first"
}

# Swift's clang takes the newest GCC directory on the machine: the C++ library must be of that version.
cxx_package() {
    version=$(newest_gcc_version)
    [ -n "$version" ] || version=$(apt-cache pkgnames 'libstdc++-' 2>/dev/null |
        sed -n 's/^libstdc++-\([0-9]*\)-dev$/\1/p' | sort -n | tail -n 1)
    printf 'libstdc++-%s-dev' "${version:-12}"
}

newest_gcc_version() {
    printf '%s\n' "/usr/lib/gcc/$(uname -m)-linux-gnu"/*/crtbegin.o |
        sed -n 's|.*/\([0-9]*\)/crtbegin.o$|\1|p' | sort -n | tail -n 1
}

has_cxx_library() {
    version=$(newest_gcc_version)
    [ -n "$version" ] && [ -e "/usr/lib/gcc/$(uname -m)-linux-gnu/$version/libstdc++.so" ]
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    else
        sudo "$@"
    fi
}

apt_get() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -q "$@" </dev/null >&2
}

may_install() {
    has_command apt-get && { [ "$(id -u)" -eq 0 ] || has_command sudo; }
}

# Once is enough.
update_lists() {
    [ -z "$lists_are_new" ] || return 0
    apt_get update || say 'apt-get update failed; going on with the package lists that are there.'
    lists_are_new=yes
}

# Installs what was remembered. Returns 1 if it cannot, with the reason in `problem`.
try_install() {
    [ -n "$missing" ] || return 0
    if may_install; then update_lists; fi
    say 'These packages are missing:'
    packages=''
    while IFS='|' read -r reason names; do
        package=$(available_package "$names")
        packages="$packages $package"
        say "  $package: $reason"
    done <<END
${missing%?}
END
    if ! may_install; then
        problem="not root, and no sudo (or no apt-get); run as root: apt-get install --no-install-recommends$packages"
        return 1
    fi
    say "Installing them: apt-get install$packages"
    # shellcheck disable=SC2086 # a list of names
    apt_get install -y --no-install-recommends $packages || {
        problem="apt-get failed (see above); install these packages, then try again:$packages"
        return 1
    }
    missing=''
}

install_missing() {
    try_install || fail "They cannot be installed from here: $problem"
}
