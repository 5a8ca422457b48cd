# --dtype is the type of the result, which is computed in no narrower one; without it, what came in goes out.
. "$SUPPORT/stages.sh"
tconv x.h5 --dtype f32 -o x32.h5
body() {
  for dtype in f64 f32 f16 bf16; do
    stage_on x.h5 --dtype $dtype -f -o out.h5
    made=$dtype
    if [ "$tool" = transformer-run ]; then made=i64; fi  # ids, which stay ids
    case $(tconv --list out.h5) in *"  $made"*) ;; *) complain "--dtype $dtype gives $(tconv --list out.h5)" ;; esac
  done
  case $tool in nwreg | embed | transformer-run) return 0 ;; esac  # whose results are of another input's type
  case $(stage_on x.h5 | tconv --list) in *"  f64"*) ;; *) complain "f64 does not stay f64" ;; esac
  case $(stage_on x32.h5 | tconv --list) in *"  f32"*) ;; *) complain "f32 does not stay f32" ;; esac
}
for_each_stage body
# Inputs and weights in f32: the result in f64 is that of the input in f64, not the one in f32 widened.
tconv x32.h5 --dtype f64 -o x64.h5
tconv x32.h5 -f -o x.h5
tconv weights.h5 --dtype f32 -f -o weights.h5
in_f64() {
  stage_on x64.h5 --dtype f64 -f -o wide.h5
  stage_on x32.h5 --dtype f64 | tdiff - wide.h5 || complain "--dtype f64 is rounded to f32 on the way"
  case $tool in posenc | embed | softmax | tconv) return 0 ;; esac  # which have one way to compute
  stage_on x32.h5 --dtype f64 --engine reference | tdiff - wide.h5 --rtol 1e-12 --atol 1e-12 ||
    complain "--engine reference --dtype f64 is rounded to f32"
}
for_each_stage in_f64
# Inputs of 16 bits likewise: the result in f32 is that of the input in f32, not one rounded to 16 bits and widened, and
# that in the other type of 16 bits is rounded once.
tconv x32.h5 -f -o x.h5
in_f32() {
  case $tool in attend | nwreg) return 0 ;; esac
  stage_on x32.h5 -f -o exact.h5
  for dtype in f16 bf16; do
    tconv x32.h5 --dtype $dtype -f -o x16.h5
    stage_on x16.h5 --dtype f32 | tdiff - exact.h5 || complain "--dtype f32 is rounded to $dtype on the way"
    other=f16
    if [ $dtype = f16 ]; then other=bf16; fi
    stage_on x16.h5 --dtype $other -f -o once.h5
    stage_on x32.h5 --dtype $other | tdiff - once.h5 || complain "--dtype $other is rounded to $dtype on the way"
  done
}
for_each_stage in_f32
# nwreg's results have the type of y, which does not round what --dtype asks for.
fit() { nwreg -x linspace=1,4,4 -q linspace=1,4,7 --bandwidth 1 --emit se,neff "$@"; }
fit -y 4xf64=1,2,3,5 -o fit.h5
for dtype in f32 f16 bf16; do
  fit -y 4x$dtype=1,2,3,5 --dtype f64 | tdiff - fit.h5
  fit -y 4x$dtype=1,2,3,5 --dtype f32 -f -o fit32.h5
  tconv fit.h5 --dtype f32 | tdiff - fit32.h5
done
