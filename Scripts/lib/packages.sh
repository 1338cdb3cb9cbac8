# shellcheck shell=sh
# Debian packages: collect what is missing, then install it at once, saying what and why.
#
#   has_command NAME            is there a program of this name?
#   has_library SONAME          does the dynamic linker know this library?
#   need REASON PACKAGE...      remember a missing package; of several names the first one this release has is taken
#   install_missing             install what was remembered; ends the script if it cannot
#   try_install                 the same, but returns 1 if it cannot, with the reason in `problem`
#
# All messages go to standard error, so that a script's output stays data.

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

has_command() {
    command -v "$1" >/dev/null 2>&1
}

has_library() {
    PATH="$PATH:/usr/sbin:/sbin" ldconfig -p 2>/dev/null | grep -q "^[[:space:]]*$1 "
}

need() {
    missing="$missing$1|$(shift && printf '%s ' "$@")
"
}

# The first of the names that apt can install; the very first name if apt knows none of them.
available_package() {
    for name in "$@"; do
        case $name in
        'libstdc++-*-dev') name=$(newest_cxx_package) ;;
        esac
        if apt-cache policy "$name" 2>/dev/null | grep -q 'Candidate: [^(]'; then
            printf '%s' "$name"
            return
        fi
    done
    case $1 in
    'libstdc++-*-dev') newest_cxx_package ;;
    *) printf '%s' "$1" ;;
    esac
}

# Swift's clang takes the newest GCC directory on the machine: the C++ library must be of that version.
newest_cxx_package() {
    version=$(newest_gcc_version)
    if [ -z "$version" ]; then
        version=$(apt-cache pkgnames 'libstdc++-' 2>/dev/null | sed -n 's/^libstdc++-\([0-9]*\)-dev$/\1/p' |
            sort -n | tail -n 1)
    fi
    printf 'libstdc++-%s-dev' "${version:-12}"
}

newest_gcc_version() {
    for object in "/usr/lib/gcc/$(uname -m)-linux-gnu/"*/crtbegin.o; do
        if [ -f "$object" ]; then
            basename "$(dirname "$object")"
        fi
    done | sort -n | tail -n 1
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

print_missing() {
    printf '%s' "$missing" | while IFS='|' read -r reason names; do
        # shellcheck disable=SC2086 # a list of names
        say "  $(available_package $names): $reason"
    done
}

# Once is enough.
update_lists() {
    [ -z "$lists_are_new" ] || return 0
    apt_get update || say 'apt-get update failed; going on with the package lists that are there.'
    lists_are_new=yes
}

try_install() {
    [ -n "$missing" ] || return 0
    if may_install; then update_lists; fi
    packages=$(printf '%s' "$missing" | while IFS='|' read -r reason names; do
        # shellcheck disable=SC2086
        printf '%s ' "$(available_package $names)"
    done)
    packages=${packages% }
    say 'These packages are missing:'
    print_missing
    if ! may_install; then
        problem="not root, and no sudo (or no apt-get); run as root: apt-get install --no-install-recommends $packages"
        return 1
    fi
    say "Installing them: apt-get install $packages"
    # shellcheck disable=SC2086
    apt_get install -y --no-install-recommends $packages || {
        problem="apt-get failed (see above); install these packages, then try again: $packages"
        return 1
    }
    missing=''
}

install_missing() {
    try_install || fail "They cannot be installed from here: $problem"
}
