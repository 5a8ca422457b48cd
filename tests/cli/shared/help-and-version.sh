# Every tool: --help opens with examples, --version names what is used, a typo gets a hint, a terminal is asked for data.
for source in "$SUPPORT"/../../tools/*.cpp; do
  tool=$(basename "$source" .cpp)
  "$BUILD/bin/$tool" --help >help
  sed -n 1p help | grep -q "^$tool: " || echo "$tool: --help starts with $(head -n 1 help)"
  [ "$(sed -n 3,7p help | grep -c "^  .*$tool")" -ge 2 ] || echo "$tool: --help opens with fewer than two examples"
  grep -q "^usage: $tool " help || echo "$tool: --help has no usage"
  # Lines fit the terminal, but for the examples; the most used options fit two screens.
  awk -v tool=$tool 'length($0) > 80 && !/^  [^ -]/ { print tool ": --help has a line of " length($0) " characters" }' help
  [ "$(wc -l <help)" -le 80 ] || echo "$tool: --help has $(wc -l <help) lines"
  COLUMNS=60 "$BUILD/bin/$tool" --help-all | awk -v tool=$tool 'length($0) > 60 && !/^  [^ -]/ { print tool ": wider than 60" }'
  "$BUILD/bin/$tool" --help-all | grep -q -e '--verbose  ' || echo "$tool: --help-all does not show all"
  "$BUILD/bin/$tool" --version >version
  [ "$(sed 's/ .*//' version | tr '\n' ' ')" = "$tool HDF5 xxHash instruction " ] || { echo "$tool: --version says"; cat version; }
  code=0
  "$BUILD/bin/$tool" --versoin >out 2>errors || code=$?
  [ $code -eq 2 ] && [ "$(cat errors)" = "$tool: --versoin: unknown option; did you mean --version?" ] || echo "$tool: a typo: $code, $(cat errors)"
  [ ! -s out ] || echo "$tool: a typo writes to standard output"
  for words in '--versoin --help' '-h --output' '-h --threads=many'; do
    # shellcheck disable=SC2086
    "$BUILD/bin/$tool" $words >out && cmp out help || echo "$tool: no help for $words"
  done
  code=0
  ATTN_ISA=mmx "$BUILD/bin/$tool" --version >out 2>errors || code=$?
  [ $code -eq 2 ] || echo "$tool: ATTN_ISA=mmx: exit code $code"
done
