# --dtype is the type of the result; without it, what came in goes out.
. "$SUPPORT/stages.sh"
tconv x.h5 --dtype f32 -o x32.h5
body() {
  for dtype in f64 f32 f16 bf16; do
    stage_on x.h5 --dtype $dtype -f -o out.h5
    case $(tconv --list out.h5) in *"  $dtype"*) ;; *) complain "--dtype $dtype gives $(tconv --list out.h5)" ;; esac
  done
  case $tool in nwreg | embed | transformer-run) return 0 ;; esac  # whose results are of another input's type
  case $(stage_on x.h5 | tconv --list) in *"  f64"*) ;; *) complain "f64 does not stay f64" ;; esac
  case $(stage_on x32.h5 | tconv --list) in *"  f32"*) ;; *) complain "f32 does not stay f32" ;; esac
}
for_each_stage body
