# Probabilities of the classes as targets; the numbers are those of F.cross_entropy of PyTorch 2.15. One-hot rows have
# the bits of labels, and the reference engine agrees.
. "$SUPPORT/try.sh"
T=2x3xf64=0.5,0.25,0.25,0,1,0
for options in "" "--label-smoothing 0.1" "--class-weights 3=1,2,0.5" "--reduction sum" "--reduction none"; do
  # shellcheck disable=SC2086
  loss 2x3xf64=2,0,1,0,3,0 --target $T $options
  # shellcheck disable=SC2086
  loss 2x3xf64=2,0,1,0,3,0 --target $T $options --emit dy -f -o l.h5
  # shellcheck disable=SC2086
  loss 2x3xf64=2,0,1,0,3,0 --target $T $options --emit dy --engine reference | tdiff - l.h5 --rtol 1e-14 --atol 1e-14
done
loss 2x3xf64=2,0,1,0,3,0 --target $T --emit dy | tconv --select dy --precision 6 -O csv --no-header
for options in "" "--label-smoothing 0.1 --reduction sum --class-weights 3=1,2,0.5"; do
  # shellcheck disable=SC2086
  loss 2x3xf64=2,0,1,0,3,0 --target 2xi64=2,0 $options --emit dy -f -o l.h5
  # shellcheck disable=SC2086
  loss 2x3xf64=2,0,1,0,3,0 --target 2x3xi64=0,0,1,1,0,0 $options --emit dy | tdiff - l.h5 --strict
done

# What is none: several labels of a row, numbers out of range, classes on another axis, a column of labels.
try loss 2x3=1 --target 2x3xi64=1,0,1,0,0,1
try loss 2x3=1 --target 2x3=1,0.5,-0.5,0,0,1
try loss 3=1 --target 3xi64=0,1,0
try loss 2x3x4=1 --target 2x4xi64=0
try loss 2x3=1 --target 2x1xi64=0
try loss 2x3=1 --target 2x3=1,0,0,0,0,1 --ignore 0
try loss 2=1 --kind bce --target 2xi64=-1,1
# The words of other programs.
try loss 2x3=1 --target 2xi64=0 --ignore-index 0
try loss 2x3=1 --labels 2xi64=0
