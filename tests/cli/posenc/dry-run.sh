# --dry-run says what a table will be, and --max-memory refuses one that is too large.
tconv linspace=0,1,96 --reshape 32,3 -o table.h5:/weight
plan() {
  posenc "$@" --dry-run | grep -v ^memory
  shape=$(posenc "$@" | tconv --list | sed -n 's/^y *//p')
  posenc "$@" --dry-run | grep -qF "write  y  $shape" || echo "posenc $*: writes $shape"
}
plan --length 10 --dim 8
plan --kind rotary --length 10 --dim 8
plan --kind rotary --length 10 --dim 8 --positions 2x3xi64=1,2,3,4,5,6
plan --kind learned --length 4 -w table.h5
plan --kind t5 --length 4 --keys 5 -w table.h5
plan --kind alibi --length 4 --heads 3
plan --kind alibi --length 4 --alibi-slopes 2=0.5,0.25
plan --kind xlnet --length 4 --dim 6
# Far more than any machine has.
posenc --length 100000000000 --dim 64 --max-memory 1G 2>errors || echo $?
grep -o 'needs at least .*, 1073741824 are allowed' errors
