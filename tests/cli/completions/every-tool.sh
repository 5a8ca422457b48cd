# Every tool: the scripts are ones, offer the options that --help-all shows, and only words that the tool accepts.
options_of_help() {
  awk '/^  (    |-[a-zA-Z], )--[a-z]/ { print $1; if ($1 ~ /,$/) print $2 } /^  -[a-zA-Z]( |$)/ { print $1 }' | sed 's/,$//' | sort
}
for source in "$SUPPORT"/../../tools/*.cpp; do
  tool=$(basename "$source" .cpp)
  for shell in bash zsh fish; do
    $tool --completions $shell >script.$shell
    ! command -v $shell >/dev/null || $shell -n script.$shell || echo "$tool: no script of $shell"
  done
  tr ' ' '\n' <script.fish | awk '$0 == "-s" || $0 == "-l" { dash = $0 == "-s" ? "-" : "--"; getline; print dash $0 }' |
    sort >offered
  COLUMNS=120 $tool --help-all | options_of_help | diff - offered || echo "$tool: options offered differ from --help-all"
  # Words stand in quotes behind -a.
  sed -n "s/.* -l \([a-z-]*\) -x -a '(\{0,1\}\([^')]*\).*/\1 \2/p" script.fish | sed 's/ __fish_[a-z]*\( ,\)\{0,1\}//' >words
  [ -s words ] || echo "$tool: offers no words"
  while read -r option values; do
    for value in $values; do
      case $value in *=) value=${value}1 ;; esac
      ! $tool --"$option" "$value" 2>&1 </dev/null | grep -e "not one of" -e "not known" || echo "$tool: --$option $value"
    done
  done <words
done
code=0
attend --completions tcsh || code=$?
echo "code $code"
