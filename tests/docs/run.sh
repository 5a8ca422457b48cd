#!/bin/sh
# Documentation cannot drift: every tool has a man page, pages are clean mdoc, a page's options are those of --help-all,
# the rooms of the library are as lib/README.md shows them, the C++ of README.md is part of a program that is tested, and
# the examples of man pages and README.md run and print what is shown.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
bin=${BUILD:-$root/build}/bin
passed=0 failed=0
pass() { passed=$((passed + 1)); }
fail() {
  echo "FAILED: $*"
  failed=$((failed + 1))
}

# "-q" and "--query", a line each, from the `.It Fl` lines of mdoc pages.
options_of_page() {
  awk '/^\.It Fl / {
    gsub(/\\-/, "-")
    for (i = 2; i <= NF; ++i)
      if ($i == "Fl") {
        name = $(++i) == "Fl" ? "--" $(++i) : "-" $i
        sub(/[=,].*$/, "", name)
        print name
      }
  }' "$@" | sort -u
}

options_of_help() {
  "$bin/$1" --help-all | awk '/^  (    |-[a-zA-Z], )--[a-z]/ { print $1 == "" ? "" : $1; if ($1 ~ /,$/) print $2 }
                          /^  -[a-zA-Z]( |$)/ { print $1 }' | sed 's/,$//' | sort -u
}

# Options that may be repeated, as the items of mdoc pages and as --help-all say.
repeated_on_page() {
  options_of_page_lines "$@" | awk 'tolower($0) ~ /may be repeated/ { print $1 }' | sort -u
}
options_of_page_lines() { # "--query TEXT OF ITS ITEM", a line of the item each
  awk '/^\.(It|El|Ss|Sh)/ { name = "" }
       /^\.It Fl / { for (i = 2; i <= NF; ++i) if ($i == "Fl") name = $(i + 1) == "Fl" ? "--" $(i + 2) : "-" $(i + 1) }
       name != "" { print name, $0 }' "$@"
}
repeated_in_help() {
  COLUMNS=1000 "$bin/$1" --help-all |
    awk '/^  (    |-[a-zA-Z], )--[a-z]|^  -[a-zA-Z]( |$)/ { name = $1 ~ /,$/ ? $2 : $1; sub(/,$/, "", name) }
         /; may be repeated/ { print name }' | sort -u
}

for page in "$root"/man/*.[1357]; do
  lint=$(mandoc -T lint -W style "$page" 2>&1 | grep -v -e 'referenced manual not found' -e 'outdated mandoc.db')
  if [ -z "$lint" ]; then pass; else fail "$lint"; fi
done

# mdoc takes quotation marks from the words of a macro.
if lost=$(grep -n '^\.No .*"' "$root"/man/*); then fail "\(dq is needed: $lost"; else pass; fi

# A page lists its tool's own options; attnutils(7) those that tools share.
shared=$(options_of_page "$root/man/attnutils.7")
for source in "$root"/tools/*.cpp; do
  tool=$(basename "$source" .cpp)
  page=$root/man/$tool.1
  [ -e "$page" ] || { fail "$tool has no man page"; continue; }
  for section in NAME SYNOPSIS DESCRIPTION OPTIONS EXAMPLES 'EXIT STATUS' 'SEE ALSO'; do
    grep -q "^\.Sh $section" "$page" || fail "$tool.1 has no section $section"
  done
  documented=$(printf '%s\n%s\n' "$(options_of_page "$page")" "$shared" | sort -u)
  for option in $(options_of_help "$tool"); do
    if printf '%s\n' "$documented" | grep -qx -e "$option"; then pass
    else fail "$tool.1 does not have $option, which $tool --help-all shows"; fi
  done
  # A page that describes an option itself says whether it may be repeated; else attnutils(7) does.
  said=$({ repeated_on_page "$page"
           repeated_on_page "$root/man/attnutils.7" | grep -vxF -e "$(options_of_page "$page")"; } | sort -u |
         grep -xF -e "$(options_of_help "$tool")")
  if [ "$said" = "$(repeated_in_help "$tool")" ]; then pass
  else fail "$tool: these may be repeated: $(repeated_in_help "$tool" | xargs), its pages say" $said; fi
  for option in $(options_of_page "$page"); do
    if options_of_help "$tool" | grep -qx -e "$option"; then pass
    else fail "$tool --help-all does not show $option, which $tool.1 has"; fi
  done
done

# The C++ of README.md is part of a program of examples/, which tests/install runs.
if awk '{ sub(/^ +/, "") }
        FNR == NR { if (/^```cpp$/) inside = 1; else if (/^```$/) inside = 0; else if (inside) shown = shown $0 "\n"; next }
        { program[FILENAME] = program[FILENAME] $0 "\n" }
        END { for (name in program) if (shown != "" && index(program[name], shown) > 0) found = 1; exit !found }
       ' "$root/README.md" "$root"/examples/*.cpp; then pass; else fail "the C++ of README.md is in no program of examples/"; fi

echo "$passed passed, $failed failed"
"$here/rooms.sh" || failed=1
"$here/examples.sh" "$root"/man/*.[157] "$root/README.md" || failed=1
[ $failed -eq 0 ]
