# On a terminal: a preview instead of binary data, text where text was asked for, a short help where data is needed.
. "$SUPPORT/stages.sh"
command -v script >/dev/null || { echo "script (bsdutils) is not installed" >&2; exit 77; }
# Runs the command of $stage with its streams on a terminal, and its exit code in the last line.
on_terminal() {
  printf '%s; echo "code $?"' "$(printf '%s' "$stage" | sed "s|INPUT|$1|") ${2:-}" >command
  script -qec "sh command" /dev/null | tr -d '\r'
}
body() {
  on_terminal x.h5 --quiet >shown
  tail -n 1 shown | grep -qx 'code 0' || complain "fails on a terminal: $(cat shown)"
  head -n 1 shown | grep -q '^y\{0,1\}x\{0,1\}  (.*min .*, max ' || complain "shows no preview on a terminal: $(head -n 1 shown)"
  LC_ALL=C grep -q "$(printf '\211HDF')" shown && complain "writes binary data to a terminal"
  for terminal in /dev/tty /dev/stdout; do
    on_terminal x.h5 "--quiet -o $terminal" | cmp - shown || complain "shows no preview on $terminal"
  done
  on_terminal x.h5 '--quiet -O csv --no-header' | sed '$d' >shown
  stage_on x.h5 --quiet -O csv --no-header | cmp - shown || complain "-O csv on a terminal is not the text"
  on_terminal - >shown
  tail -n 1 shown | grep -qx 'code 2' || complain "waits for data from a terminal: $(tail -n 1 shown)"
  grep -q "^usage: $tool " shown || complain "no short help: $(cat shown)"
  [ "$(wc -l <shown)" -lt 20 ] || complain "the short help has $(wc -l <shown) lines"
}
for_each_stage body
