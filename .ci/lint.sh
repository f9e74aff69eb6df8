#!/usr/bin/env bash
# Everything about the tree that the compiler does not check. Prints a line per offence and fails if there is any. Without python3
# the doc comments and the words are not checked.
set -euo pipefail
cd "$(dirname "$0")/.."

line_limit=400
pure_targets=(ExactJSON StateMachines Permissions Pictures WebSocketFrames AuctionDomain AuctionClientCore/Core)
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

swift format lint --strict --parallel --recursive Package.swift Sources Tests || offence "swift format: see above; \`swift format -i\` repairs most"

while read -r file; do
    case $file in *.swift | *.c | *.h) ;; *) continue ;; esac
    lines=$(wc -l <"$file")
    [ "$lines" -le $line_limit ] || offence "$file has $lines lines, $line_limit are allowed: split it by idea"
done < <(files Sources Tests)

for target in "${pure_targets[@]}"; do
    while IFS=: read -r file number text; do
        offence "$file:$number: not in a pure target: $text"
    done < <(
        # Comments may mention what code may not use.
        find "Sources/$target" -name '*.swift' | sort | while read -r file; do
            case " ${unsafe_allowed[*]} " in *" $file "*) continue ;; esac
            sed 's://.*$::' "$file" | { grep -nE "$impure" || true; } | sed "s:^:$file\::"
        done
    )
done

# Code that traps on some values, in the targets that read values from clients: absolute values and negation (they overflow for the
# least integer), forced unwraps, casts and tries, preconditions, and integers from floating point. A line that such a value cannot
# reach, or that cannot trap on it, ends with the reason: `// proven: …`.
exposed_sources=(ExactJSON Pictures MicroHTTP WebSocketFrames AuctionServer AuctionDomain EventLog/Codec AuctionClient AuctionClientCore)
traps='\babs\(|[A-Za-z0-9_)]!([^=]|$)|\]!([^=]|$)|\bunsafelyUnwrapped\b|\b(fatalError|precondition|preconditionFailure)\('
traps+='|\bU?Int(8|16|32|64)?\([^)]*(\b1e[0-9]|[0-9]\.[0-9]|\brounded\b|\bDouble\b|[sS]econds \* )|([=(,?:]|\breturn) -[a-z]'
for source in "${exposed_sources[@]}"; do
    while IFS=: read -r file number text; do
        offence "$file:$number: may end the process on a value from outside; check it, or say \`// proven: why\`: $text"
    done < <(
        find "Sources/$source" -name '*.swift' | sort | while read -r file; do
            # Without string literals and comments; line numbers stay the same.
            sed -e 's:^.*// proven\: ..*$::' -e 's:"[^"]*":"":g' -e 's://.*$::' "$file" | { grep -nE "$traps" || true; } | sed "s:^:$file\::"
        done
    )
done

# Every public and package declaration has a doc comment, and no comment, name or document uses a word that .ci/words.txt replaces.
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
else
    echo "lint: python3 is not installed: doc comments and words are not checked" >&2
fi

# Every path and every type that a document for contributors names in backticks exists.
documents=(CONTRIBUTING.md SECURITY.md Sources/AuctionServer/AuctionServer.docc/*.md)
named() { # named EXPRESSION: DOCUMENT:NAME
    grep -oHE "\`$1\`" "${documents[@]}" | tr -d '`' | sort -u
}
while IFS=: read -r document path; do
    [ -e "$path" ] || offence "$document: $path does not exist"
done < <(named '(Sources|Tests|openapi|docker|\.ci)/[A-Za-z0-9_+./-]+')
while IFS=: read -r document name; do
    grep -rqwF --include='*.swift' "$name" Package.swift Sources Tests || offence "$document: no Swift file has the name $name"
done < <(named '[A-Z][A-Za-z]*[a-z][A-Za-z]*')

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
