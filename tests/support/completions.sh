# Sourced by tests/cli/completions: files to complete, the tools' scripts, and the lines that are typed.
mkdir dates models
touch 'with blanks.h5'
tconv 1=1 -o run.h5:/enc/key
tconv 1=1 -A -o run.h5:/dec/query
cp "$EXAMPLES/cars.csv" .
tools="attend nwreg transformer-run tdiff attnutils"

# Writes the scripts for shell $1 to where it looks for them: folder $2, names $3TOOL$4.
install_completions() {
  mkdir -p "$2"
  for tool in $tools; do "$tool" --completions "$1" >"$2/$3$tool${4:-}"; done
}

# Types the lines into the interactive shell $1, with the key that inserts everything that is offered, ESC *. In place of
# the tools, functions show their arguments.
type_lines() {
  escape=$(printf '\033')
  { sed "s/@/$escape*/" "$TESTDIR/lines.txt" && echo exit; } |
    HOME=$PWD TERM=xterm timeout 100 script -qec "$1" /dev/null >typed || cat typed >&2
  cat said
}
show_arguments() {
  for tool in $tools; do
    echo "$tool() { printf $tool; printf ' <%s>' \"\$@\"; echo; } >>said"
  done
}
