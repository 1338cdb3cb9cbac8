# shellcheck shell=sh
# What the measurements of Benchmarks are made with. Source packages.sh, dependencies.sh and release.sh first.

export BENCHMARKS_BUILD="$PWD/.build-benchmarks"

# build_client FOLDER OPTION...: builds the clients in Swift, and prints the path of the one without CoreBluetooth,
# beside which the other is. They keep their symbols, for profiles.
build_client() {
    folder=$BENCHMARKS_BUILD/$1
    shift
    set -- swift build -c release --package-path Benchmarks --scratch-path "$folder" "$@"
    "$@" >&2 && printf '%s/BenchmarkClient\n' "$("$@" --show-bin-path)"
}

# The mock and the clients in C, with the compiler's own optimisation, and the clients in Swift; BENCHMARK_CLIENT names
# one that is built already.
prepare_clients() {
    mkdir -p "$BENCHMARKS_BUILD"
    for program in mock limit; do
        # shellcheck disable=SC2046 # a list of options
        clang -O2 -Wall -Wextra -Werror -D_GNU_SOURCE Benchmarks/"$program"/*.c $(pkg-config --cflags --libs dbus-1) \
            -o "$BENCHMARKS_BUILD/$program"
    done
    BENCHMARK_CLIENT=${BENCHMARK_CLIENT:-$(link_compactly build_client static --static-swift-stdlib)}
    export BENCHMARK_CLIENT
}

# The peers, in a virtual environment. What cannot be installed is left out of the measurements.
prepare_peers() {
    [ -z "${BENCHMARK_PYTHON:-}" ] || return 0
    environment=$BENCHMARKS_BUILD/python
    wanted=Benchmarks/peers/requirements.txt
    export BENCHMARK_PYTHON="$environment/bin/python"
    if ! cmp -s "$wanted" "$environment/installed.txt"; then
        say "Installing other libraries into $environment"
        rm -rf "$environment"
        python3 -m venv "$environment" >&2
        while read -r package; do
            "$BENCHMARK_PYTHON" -m pip install --quiet "$package" >&2 ||
                say "$package could not be installed: its measurements will fail."
        done <"$wanted"
        cp "$wanted" "$environment/installed.txt"
    fi
}

peer=

# start_peer COMMAND...: starts a simulator, and sets `address` to that of its bus, which has its socket in the folder
# $temporary. The caller ends it with end_peer, at its own end too.
# shellcheck disable=SC2034,SC2154 # for the caller, and of the caller
start_peer() {
    : >"$temporary/bus"
    env -u XDG_RUNTIME_DIR TMPDIR="$temporary" LLVM_PROFILE_FILE=/dev/null "$@" >"$temporary/bus" &
    peer=$!
    while [ ! -s "$temporary/bus" ]; do
        kill -0 "$peer" 2>/dev/null || fail 'The simulator has ended.'
        sleep 0.05
    done
    address=$(head -n 1 "$temporary/bus")
}

end_peer() {
    [ -n "$peer" ] || return 0
    kill "$peer" 2>/dev/null || true
    wait "$peer" 2>/dev/null || true
    peer=
}
