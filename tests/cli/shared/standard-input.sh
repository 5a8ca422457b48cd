# Without an operand a stage reads standard input; with one it never touches it.
. "$SUPPORT/stages.sh"
body() {
  stage_on x.h5 -f -o expected.h5
  stage_on - <x.h5 | tdiff - expected.h5 || complain "does not read -"
  stage_on x.h5 <&- >out.h5 || complain "needs standard input although it has an operand"
  tdiff out.h5 expected.h5
  echo untouched | { stage_on x.h5 >out.h5; cat; } | grep -qx untouched || complain "reads from standard input although it has an operand"
  case $stage in "$tool INPUT"*)
    plain=$(printf '%s' "$stage" | sed 's/ INPUT//')
    $plain <x.h5 | tdiff - expected.h5 || complain "does not read standard input" ;;
  esac
}
for_each_stage body
