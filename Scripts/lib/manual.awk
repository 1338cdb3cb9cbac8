# Makes a better manual of what generate-manual makes of a program's help: paragraphs and literal examples, sections of
# their own for the program's examples, exit statuses and environment, and the statuses only once.
#
#   awk -v see='bluetoothctl 1' -f Scripts/lib/manual.awk gatt.1

function put(text) {
    if (section == "") print text
    else sections[section] = sections[section] text "\n"
}

# A line of text must not look like a request of roff.
function safe(text) { return text ~ /^[.']/ ? "\\&" text : text }

function end_block() {
    if (block != "") put(block == "list" ? ".El" : ".Ed")
    block = ""
}

function begin_block(kind) {
    block = kind
    put(kind == "list" ? ".Bl -tag -width " width "n -compact" : ".Bd -literal -offset 2n")
}

BEGIN {
    titles["First steps:"] = titles["Examples:"] = "EXAMPLES"
    titles["Exit status:"] = "EXIT STATUS"
    titles["Environment:"] = "ENVIRONMENT"
    width = 6
    # Whether there is a command besides "help", which every program has.
    while ((getline line < ARGV[1]) > 0) if (line ~ /^\.It Em / && line != ".It Em help") hasCommands = 1
    close(ARGV[1])
}

# What the program says itself, or need not say.
/^\.Sh "EXIT STATUS"/ || /^\.Ex -std/ { next }
/^\.It Em help$/ { isHelp = 1 }
/^\.Ar subcommand$/ && !hasCommands { next }
# Like the pages of git: that of "sensortag web" is sensortag-web(1).
/^\.(Dt|Nm) "/ {
    match($0, /"[^"]*"/)
    name = substr($0, RSTART + 1, RLENGTH - 2)
    gsub(/ /, "-", name)
    $0 = substr($0, 1, RSTART - 1) name substr($0, RSTART + RLENGTH)
}
/^\.Os$/ { print ".Os CoreBlueZ"; next }
isHelp { if (/^\.El/) isHelp = 0; next }
/^Shell completion/ && isTop { isSkipped = 1; next }

/^\./ {
    end_block()
    section = ""
    isSkipped = isParagraph = 0
    if ($1 == ".Sh") isTop = $2 == "DESCRIPTION"
    if ($1 == ".Bl") isTop = 0
    # The generator's empty paragraphs before the next item.
    if ($1 == ".Pp") { isPending = 1; next }
    if (isPending && $1 != ".It" && $1 != ".El") print ".Pp"
    isPending = 0
    print
    next
}

/^$/ {
    end_block()
    section = ""
    isSkipped = 0
    isParagraph = 1
    next
}

isPending { print ".Pp"; isPending = 0 }

$0 in titles && (isTop || titles[$0] == "EXIT STATUS") {
    isSkipped = !isTop
    isParagraph = 0
    if (isTop) section = titles[$0]
    width = section == "ENVIRONMENT" ? 24 : 6
    next
}

isSkipped { next }

/^  / && (section == "EXIT STATUS" || section == "ENVIRONMENT") {
    if (block == "") begin_block("list")
    text = $0
    if (text ~ /^  [^ ]/) put(".It Li " $1)
    sub(/^(  [^ ]+)? +/, "", text)
    put(safe(text))
    next
}

/^  / {
    if (block == "") begin_block("literal")
    put(safe(substr($0, 3)))
    next
}

{
    end_block()
    if (isParagraph) put(".Pp")
    isParagraph = 0
    put(safe($0))
}

END {
    end_block()
    section = ""
    # The order of mdoc(7).
    number = split("ENVIRONMENT,EXIT STATUS,EXAMPLES", names, ",")
    for (i = 1; i <= number; i++) if (names[i] in sections) printf ".Sh %s\n%s", names[i], sections[names[i]]
    if (see != "") {
        number = split(see, names, ",")
        print ".Sh SEE ALSO"
        for (i = 1; i <= number; i++) print ".Xr " names[i] (i < number ? " ," : "")
    }
}
