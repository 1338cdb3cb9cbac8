#!/bin/sh
# Installs the packages of a folder, uses them, purges them, and looks for what is left. Runs as root, and changes the
# system: Scripts/try-packages runs it in a new one. usage: try_packages.sh FOLDER
set -eu
folder=$1
packages='gatt sensortag bluez-simulator cardreader gatt-gateway gatt-fleet'
services='gatt-gateway gatt-fleet'
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
temporary=$(mktemp -d)
pids=''
title=''

stop_programs() {
    # shellcheck disable=SC2086 # a list of numbers
    [ -z "$pids" ] || kill $pids 2>/dev/null || true
    wait
    pids=''
}

end() {
    status=$?
    [ "$status" -eq 0 ] || {
        cat "$temporary/log"
        printf 'FAILED  %s\n' "$title"
    }
    stop_programs
    rm -rf "$temporary"
}
trap end EXIT
trap 'exit 130' INT TERM

# step TITLE COMMAND...: prints the title and the seconds. A failure ends the script, which prints the output.
step() {
    title=$1
    shift
    begun=$(date +%s)
    "$@" >"$temporary/log" 2>&1
    printf '%4s s  %s\n' "$(($(date +%s) - begun))" "$title"
}

apt() { apt-get -q -y "$@" </dev/null; }

# start FILE COMMAND...: starts a program, and waits until it has printed a line to the file.
start() {
    file=$temporary/$1
    shift
    "$@" >"$file" &
    pids="$pids $!"
    deadline=$(($(date +%s) + 30))
    until [ -s "$file" ]; do
        kill -0 "$!"
        [ "$(date +%s)" -lt "$deadline" ]
        sleep 0.1
    done
}

# on_bus FILE COMMAND...: runs a client of the bus whose address a program has printed to the file.
on_bus() {
    address=$(cat "$temporary/$1")
    shift
    env "$address" "$@"
}

# The tools beside which the packages are used. Most of what the packages depend on comes with the packages.
install_tools() {
    # No service starts: this is not the machine of an init system.
    printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d
    chmod 755 /usr/sbin/policy-rc.d
    apt update
    apt install --no-install-recommends bash-completion fish man-db mosquitto systemd zsh
}

install_packages() { apt install "$folder"/*.deb; }

check_versions() {
    for program in $packages sensortag-web; do
        [ "$("$program" --version)" = "$(gatt --version)" ]
    done
    [ "$(dpkg-query --show --showformat='${Version}' gatt | sed 's/[-+~].*//')" = "$(gatt --version)" ]
}

check_documents() {
    for program in $packages sensortag-web; do
        man --pager=cat "$program" | grep -q "$program"
    done
    for program in $packages; do
        bash -ec ". /usr/share/bash-completion/completions/$program; complete -p $program"
        zsh -fc "autoload -U compinit && compinit -D && [ \"\$_comps[$program]\" = _$program ]"
        fish -c "complete --do-complete '$program --v'" | grep version
        for name in copyright changelog.gz changelog.Debian.gz "$program.spdx.json"; do
            [ -s "/usr/share/doc/$program/$name" ]
        done
    done
}

scan_simulator() {
    start simulator bluez-simulator
    on_bus simulator gatt scan --count 1 --duration 30 | grep SensorTag
}

simulate() {
    sensortag --simulate --duration 3 | grep -i temperature
    start page sensortag web --simulate --port 0
    grep http "$temporary/page"
    cardreader --simulate
}

# The simulator's device through a gateway, a broker and a fleet.
use_gateway() {
    mosquitto -p 18840 &
    pids="$pids $!"
    env "$(cat "$temporary/simulator")" gatt-gateway --broker mqtt://127.0.0.1:18840 --name kitchen &
    pids="$pids $!"
    start fleet gatt-fleet --broker mqtt://127.0.0.1:18840
    # The fleet's adapter is off until the gateway is online.
    deadline=$(($(date +%s) + 30))
    until on_bus fleet gatt scan --count 1 --duration 5 | grep SensorTag; do
        [ "$(date +%s)" -lt "$deadline" ]
        sleep 0.1
    done
}

check_services() {
    for service in $services; do
        systemd-analyze verify "/usr/lib/systemd/system/$service.service"
        [ "$(systemctl is-enabled "$service" || true)" = disabled ]
        [ -e "/etc/$service.conf" ]
        # As an administrator does: purging must find it.
        systemctl enable "$service"
        echo secret >"/etc/$service.password"
    done
    getent passwd gatt-fleet
    getent group bluetooth
}

# As an upgrade does: what an administrator has edited stays.
install_again() {
    echo '# edited' >>/etc/gatt-gateway.conf
    dpkg --install "$folder"/*.deb
    grep '# edited' /etc/gatt-gateway.conf
}

remove() {
    # shellcheck disable=SC2086 # a list of names
    dpkg --listfiles $packages | sort -u >"$temporary/files"
    # shellcheck disable=SC2086
    apt remove $packages
    for service in $services; do
        [ -e "/etc/$service.conf" ]
    done
}

# Only the services have something to purge. What stays is the user gatt-fleet, as usual in Debian.
purge() {
    # shellcheck disable=SC2086
    apt purge $services
    while read -r file; do
        [ ! -e "$file" ] || [ -d "$file" ] || {
            echo "$file is left"
            return 1
        }
    done <"$temporary/files"
    find / -xdev \( -name 'gatt-*' -o -name '*sensortag*' -o -name '*bluez-simulator*' -o -name '*cardreader*' \) \
        ! -path '/var/cache/*' ! -path "$folder/*" ! -path "$temporary/*" >"$temporary/left"
    cat "$temporary/left"
    [ ! -s "$temporary/left" ] && getent passwd gatt-fleet
}

# shellcheck source=/dev/null
printf '%s\n' "$(. /etc/os-release && echo "$PRETTY_NAME"), $(dpkg --print-architecture)"
step 'install tools' install_tools
step 'install the packages' install_packages
step 'run each program' check_versions
step 'read manuals and completions' check_documents
step 'scan the simulator' scan_simulator
step 'run the demos on simulated devices' simulate
step 'scan through a gateway and a fleet' use_gateway
step 'end the programs' stop_programs
step 'check the services' check_services
step 'install the packages again' install_again
step 'remove the packages' remove
step 'purge the packages' purge
