#!/bin/sh
# Runs the examples of man pages or README.md, in order, in a copy of examples/ beside small models, and compares the output where the page
# shows one (a line "..." stands for any number of lines): tests/docs/examples.sh PAGE...
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
export PATH="${BUILD:-$root/build}/bin:$PATH" LC_ALL=C.UTF-8 TERM=dumb
unset SOURCE_DATE_EPOCH OMP_NUM_THREADS
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# Does file $1 equal file $2, where a line "..." of $2 stands for any lines?
shown_as() {
  awk 'NR == FNR { actual[++n] = $0; next }
       { wanted[++m] = $0 }
       # fits(i, j): do the lines from i on fit the pattern from j on?
       function fits(i, j,   k) {
         if (j > m) return i > n
         if (wanted[j] == "...") { for (k = i; k <= n + 1; ++k) if (fits(k, j + 1)) return 1; return 0 }
         return i <= n && actual[i] == wanted[j] && fits(i + 1, j + 1)
       }
       END { exit !fits(1, 1) }' "$1" "$2"
}

passed=0 failed=0
for page in "$@"; do
  rm -rf "$work/place"
  cp -R "$root/examples" "$work/place"
  ln -s "$root/tests/conformance/models" "$work/place/models"  # small ones, as downloaded models look
  ln -s "$root/tests/conformance/image" "$work/place/pictures"
  cp -R "$root/tests/conformance/models/llama" "$work/place/chat"  # a model with a chat template
  cp "$root/tests/fixtures/words/tokenizer.json" "$work/place/chat"
  echo '{% for message in messages %}the {{ message.role }}: {{ message.content }} {% endfor %}' >"$work/place/chat/chat_template.jinja"
  awk -f "$here/commands.awk" "$page" >"$work/steps"
  printf 'E\n' >>"$work/steps"
  : >"$work/command"
  : >"$work/shown"
  while IFS= read -r step <&9; do
    case $step in
      c\ *) printf '%s\n' "${step#c }" >>"$work/command"; continue ;;
      O\ *) printf '%s\n' "${step#O }" >>"$work/shown"; continue ;;
    esac
    if [ -s "$work/command" ]; then
      (cd "$work/place" && exec sh -e "$work/command") </dev/null >"$work/stdout" 2>"$work/stderr" 9<&-
      code=$?
      if [ $code -ne 0 ]; then
        echo "FAILED: $(basename "$page"): $(cat "$work/command"): exit code $code: $(head -n 3 "$work/stderr")"
        failed=$((failed + 1))
      elif [ -s "$work/shown" ] && ! shown_as "$work/stdout" "$work/shown"; then
        echo "FAILED: $(basename "$page"): $(cat "$work/command"): the page shows other output (< page, > actual):"
        diff "$work/shown" "$work/stdout" | sed 's/^/    /' | head -n 20
        failed=$((failed + 1))
      else
        passed=$((passed + 1))
      fi
    fi
    : >"$work/command"
    : >"$work/shown"
    case $step in C\ *) printf '%s\n' "${step#C }" >"$work/command" ;; esac
  done 9<"$work/steps"
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
