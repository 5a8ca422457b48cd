# A look-up of text compares keys: masks are refused, where an answer came that they forbid.
names=$EXAMPLES/names.csv
text() { attend --normalize hard -q str=Smith -k "$names:/last" -v "$names:/first" "$@"; }
vectors() { attend --normalize hard -q 1x2xf64=3,4 -k 2x2xf64=1,2,3,4 -v str=one,two "$@"; }
told() { # WHAT OPTION...
  "$@" >out 2>errors && echo "$*: $(cat out)" || echo "$*: $? $(sed "s|$EXAMPLES/||" errors)"
}
for options in "--mask 1x7xi64=0" "--mask 1x2=0" "--valid-lens 1xi64=0" "--bias 1x7=0" --causal --causal-bottom-right \
  "--window 1,1" "--alibi-slopes 1=1" "--sinks 1=1" "--explain 99" "--past-key 1x1=1 --past-value 1x1=1" \
  "--emit weights"; do
  # shellcheck disable=SC2086
  told text $options
done
told text --nearest --mask 1x7xi64=0
told vectors --mask 1x2xi64=1,0
told attend --normalize hard -q str=b -k str=a,b -v 2x1=10,20 -O csv --emit weights
# Of the nearest vector they have a say.
told vectors --nearest
told vectors --nearest --mask 1x2xi64=1,0
told vectors --nearest --mask 1x2xi64=0,0
told vectors --nearest --heads 2
# Packed heads have no axis that a layout could name.
told attend 1x4x2=1 --layout heads-first --heads 2 -O csv
