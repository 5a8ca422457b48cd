# Lines of text whose reading fails are an error, not the end of the text.
m=$EXAMPLES/dates
for tool in "tokenize -m $m" "tokenize -m $m --decode" "tokenize -m $m -O csv" "transformer-run -m $m"; do
  for from in closed folder memory; do
    code=0
    case $from in
      closed) $tool <&- 2>&1 || code=$? ;;
      folder) $tool <. 2>&1 || code=$? ;;
      memory) [ "$tool" = "transformer-run -m $m" ] || $tool /proc/self/mem 2>&1 || code=$? ;;
    esac
    echo $code
  done
done
