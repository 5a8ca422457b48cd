# fish: a tool's script is found, and completes its options, words, folders and files, with descriptions.
command -v fish >/dev/null || { echo "fish is not installed" >&2; exit 77; }
. "$SUPPORT/completions.sh"
install_completions fish share/fish/vendor_completions.d '' .fish
cat >complete.fish <<'END'
while read -l line
  echo "$line"
  set typed (string replace @ '' -- "$line")
  # Since fish 4 also options that hold the letters elsewhere.
  set word (string escape --style=regex -- (string split ' ' -- $typed)[-1])
  complete -C "$typed" | string match -r -- "^$word.*" | string replace -r '^' '  '
end
END
HOME=$PWD XDG_CONFIG_HOME=$PWD/share XDG_DATA_DIRS=$PWD/share fish complete.fish <"$TESTDIR/lines.txt"
