#!/usr/bin/env bash
# lint.sh [changed]: everything about the tree that the compiler does not check. Prints a line per offence and fails if there is any.
# Without python3 doc comments, words and stored properties are not checked. `changed`: of the formatting, only files that differ from
# origin/main (without it, from the last commit) are checked, which is half of the time.
set -euo pipefail
cd "$(dirname "$0")/.."

# A type that keeps its state private may have a file of this size, rather than files that share the state.
line_limit=600
pure_targets=(ExactJSON IPAddresses StateMachines Permissions Pictures WebSocketFrames AuctionDomain AuctionContract AuctionClientCore/Core)
# Clocks, random sources, files, the C library, unsafe memory: a pure target gets their results as values or not at all.
impure='\bunsafe\b|\bimport +(Foundation|FoundationEssentials|Glibc|Musl|Dispatch)\b|\bDate\(\)|\b(Continuous|Suspending)Clock\b'
impure+='|\bSystemRandomNumberGenerator\b|\.random\(|\bFileManager\b|\bTask\.sleep\b'
# Memory of its own behind a safe interface: half of the cost of writing JSON was the checks of an array at every append.
unsafe_allowed=(Sources/ExactJSON/ByteBuffer.swift)
top_level='Package\.swift|Sources|Tests|openapi|docker|README\.md|CONTRIBUTING\.md|CHANGELOG\.md|SECURITY\.md|Makefile|LICENSE|\..+'

offences=0
offence() {
    printf 'lint: %s\n' "$*" >&2
    offences=$((offences + 1))
}

# Tracked files and new ones that are not ignored; outside a clone (a tarball) everything that is there.
files() {
    if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
        git ls-files --cached --others --exclude-standard -- "$@" | while read -r file; do
            if [ -e "$file" ]; then echo "$file"; fi
        done
    else
        find "${@:-.}" -type f | sed 's:^\./::'
    fi
}

# matching EXPRESSION EDIT: FILE:NUMBER:TEXT of the lines that match, before and after an edit by sed, of the files on standard input.
matching() {
    { xargs -0 -r grep -HnE "$1" || true; } | sed -E 's/^([^:]+:[0-9]+:)/\1\t/' | sed "$2" | { grep -E "$1" || true; }
}

formatted=(Package.swift Sources Tests)
if [ "${1:-}" = changed ] && base=$(git rev-parse --quiet --verify origin/main || git rev-parse --quiet --verify HEAD); then
    mapfile -t formatted < <(BASE=$base .ci/changed.sh | while read -r file; do
        case $file in Package.swift | Sources/*.swift | Tests/*.swift) if [ -e "$file" ]; then echo "$file"; fi ;; esac
    done)
fi
if [ ${#formatted[@]} -gt 0 ]; then
    swift format lint --strict --parallel --recursive "${formatted[@]}" || offence "swift format: see above; \`swift format -i\` repairs most"
fi

while read -r lines file; do
    [ "$lines" -le $line_limit ] || offence "$file has $lines lines, $line_limit are allowed: split it by idea"
done < <(files Sources Tests | { grep -E '\.(swift|c|h)$' || true; } | tr '\n' '\0' | xargs -0 -n 1000 wc -l | grep -v ' total$')

for target in "${pure_targets[@]}"; do
    while IFS=: read -r file number text; do
        offence "$file:$number: not in a pure target: $text"
    done < <(
        # Comments may mention what code may not use.
        find "Sources/$target" -name '*.swift' | sort | while read -r file; do
            case " ${unsafe_allowed[*]} " in *" $file "*) ;; *) printf '%s\0' "$file" ;; esac
        done | matching "$impure" 's://.*$::'
    )
done

# Code that traps on some values, in the targets that read values from clients: absolute values and negation (they overflow for the
# least integer), forced unwraps, casts and tries, preconditions, and integers from floating point. A line that such a value cannot
# reach, or that cannot trap on it, ends with the reason: `// proven: …`.
exposed_sources=(ExactJSON IPAddresses OutboundHTTP Pictures MicroHTTP WebSocketFrames AuctionServer AuctionDomain EventLog/Codec AuctionClient AuctionClientCore)
traps='\babs\(|[A-Za-z0-9_)]!([^=]|$)|\]!([^=]|$)|\bunsafelyUnwrapped\b|\b(fatalError|precondition|preconditionFailure)\('
traps+='|\bU?Int(8|16|32|64)?\([^)]*(\b1e[0-9]|[0-9]\.[0-9]|\brounded\b|\bDouble\b|[sS]econds \* )|([=(,?:]|\breturn) -[a-z]'
for source in "${exposed_sources[@]}"; do
    while IFS=: read -r file number text; do
        offence "$file:$number: may end the process on a value from outside; check it, or say \`// proven: why\`: $text"
    done < <(
        # Without string literals and comments.
        find "Sources/$source" -name '*.swift' -print0 | sort -z |
            matching "$traps" 's:^.*// proven\: ..*$::; s:"[^"]*":"":g; s://.*$::'
    )
done

# Foundation as a whole links ICU's tables. What the program links imports FoundationEssentials; on Apple's systems, which have none, the
# client's core imports Foundation after `#else`. AuctionClient is for apps only.
while IFS=: read -r file number text; do
    case $file in Sources/AuctionClient/*) continue ;; esac
    [ "$(sed -n "$((number - 1))p" "$file")" = "#else" ] || offence "$file:$number: FoundationEssentials instead, or nothing: $text"
done < <(grep -rnE --include='*.swift' '^ *(@_exported )?((internal|package|public) )?import (Foundation|FoundationNetworking|FoundationInternationalization)$' Sources || true)

# Every public and package declaration has a doc comment; no comment, name or document uses a word that .ci/words.txt replaces; and no
# type has more stored properties than .ci/stored-properties.txt allows.
if command -v python3 >/dev/null; then
    while read -r line; do
        offence "$line: no doc comment"
    done < <(python3 .ci/undocumented.py Sources Tests/AuctionTestKit || true)
    status=0
    words=$(python3 .ci/words.py Sources Tests .ci docker README.md CONTRIBUTING.md SECURITY.md) || status=$?
    # It exits with 3 for words, and Python with 1 for an error of its own.
    if [ "$status" -ne 0 ] && [ "$status" -ne 3 ]; then offence ".ci/words.py failed"; fi
    if [ -n "$words" ]; then
        while read -r line; do offence "$line"; done <<<"$words"
    fi
    status=0
    long=$(python3 .ci/stored-properties.py Sources) || status=$?
    if [ "$status" -ne 0 ] && [ "$status" -ne 3 ]; then offence ".ci/stored-properties.py failed"; fi
    if [ -n "$long" ]; then
        while read -r line; do offence "$line"; done <<<"$long"
    fi
else
    echo "lint: python3 is not installed: doc comments, words and stored properties are not checked" >&2
fi

# Every path and every type that a document for contributors names in backticks exists.
documents=(CONTRIBUTING.md SECURITY.md Sources/AuctionServer/AuctionServer.docc/*.md)
named() { # named EXPRESSION: DOCUMENT:NAME
    grep -oHE "\`$1\`" "${documents[@]}" | tr -d '`' | sort -u
}
while IFS=: read -r document path; do
    [ -e "$path" ] || offence "$document: $path does not exist"
done < <(named '(Sources|Tests|openapi|docker|\.ci)/[A-Za-z0-9_+./-]+')
# The words of all Swift files, once: a search for each name reads them two hundred times.
names=$(grep -rhoE --include='*.swift' '\b[A-Z][A-Za-z0-9_]*\b' Package.swift Sources Tests | sort -u)
while IFS=: read -r document name; do
    grep -qxF "$name" <<<"$names" || offence "$document: no Swift file has the name $name"
done < <(named '[A-Z][A-Za-z]*[a-z][A-Za-z]*')

# Each script says which files it covers, by which `make test` chooses it (.ci/covering.sh).
for script in Tests/scripts/test-*.sh; do
    covered=$(sed -nE 's/^# Covers: *//p' "$script")
    [ -n "$covered" ] || offence "$script: no line '# Covers: PATH…' in its head"
    for path in $covered; do
        [ -e "$path" ] || offence "$script: it covers $path, which does not exist"
    done
done

# Outside a clone the files of a build cannot be told from those of the project.
if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    while read -r entry; do
        offence "$entry: nothing belongs at the top level beyond Package.swift, Sources, Tests, openapi, docker, README.md," \
            "CONTRIBUTING.md, CHANGELOG.md, SECURITY.md, Makefile, LICENSE"
    done < <(files | cut -d/ -f1 | sort -u | { grep -vxE "$top_level" || true; })
fi

if [ $offences -gt 0 ]; then
    printf 'lint: %d offence(s)\n' $offences >&2
    exit 1
fi
echo "lint: clean"
