# --slab takes a part of an input, as the operand's brackets do.
. "$SUPPORT/stages.sh"
body() {
  case $tool in attend) name=query ;; nwreg) name=queries ;; transformer-run) name=ids ;; *) name=input ;; esac
  case $stage in *residual*) return 0 ;; esac  # whose other input would not fit
  [ $tool = tconv ] && slab=0:4 || slab=$name=0:4
  stage_on x.h5 --slab "$slab" -f -o part.h5
  stage_on 'x.h5:/x[0:4]' | tdiff - part.h5 || complain "--slab is not the slab of the operand"
  stage_on x.h5 | tdiff - part.h5 >report && complain "--slab is ignored"
  return 0
}
for_each_stage body
