# --slab takes a part of an input, as the operand's brackets do.
. "$SUPPORT/stages.sh"
body() {
  case $tool in attend) name=query ;; nwreg) name=queries ;; transformer-run) name=ids ;; *) name=input ;; esac
  case $stage in *residual*) return 0 ;; esac  # whose other input would not fit
  [ $tool = tconv ] && slab=0:4 || slab=$name=0:4
  stage_on x.h5 --slab "$slab" -f -o part.h5
  stage_on 'x.h5:/x[0:4]' | tdiff - part.h5 || complain "--slab is not the slab of the operand"
  stage_on x.h5 | tdiff - part.h5 >report && complain "--slab is ignored"
  # Turned round where it lies, or written so before.
  stage_on 'x.h5:/x[::-1,::-1]' --no-history -f -o turned.h5
  tconv 'x.h5:/x[::-1,::-1]' -f -o backwards.h5:/x
  stage_on backwards.h5 --no-history | cmp - turned.h5 || complain "a slab of negative steps is not the tensor turned round"
}
for_each_stage body
