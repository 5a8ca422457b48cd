# Parts of two instruction sets are refused, whatever they are parts of, unless --mixed joins them. Parts of one set are
# joined to the bits of one run with it, also by a tmerge that would use another.
attend --version | grep -q baseline && echo "this machine has one instruction set" >&2 && exit 77
posenc --length 9001 --dim 16 --base 50 --dtype f32 -o k.h5
tconv 'k.h5[:,:1]' -o x.h5
tconv 'k.h5[:,3]' -o y.h5
tconv 'k.h5[:40]' -o q.h5
each() { # RESULT OPTIONS-OF-THE-WHOLE OPTIONS-OF-PARTS COMMAND...
  result=$1 whole=$2 parts=$3
  shift 3
  # shellcheck disable=SC2086
  {
    ATTN_ISA=baseline "$@" $whole --quiet --no-history -f -o one.h5
    for i in 1 2; do
      ATTN_ISA=baseline "$@" $parts --shard $i/2 --quiet -f -o $i.h5
      "$@" $parts --shard $i/2 --quiet -f -o other-$i.h5
    done
  }
  tmerge 1.h5 2.h5 --quiet --no-history -f -o merged.h5
  tdiff "merged.h5:/$result" "one.h5:/$result" --ulp 0 >difference || { echo "one set differs: $*" && cat difference; }
  for mix in "1.h5 other-2.h5" "other-1.h5 2.h5"; do
    # shellcheck disable=SC2086
    {
      code=0
      tmerge $mix -f -o merged.h5 2>error || code=$?
      [ $code -eq 65 ] || echo "exit code $code: $*"
      grep -q 'ATTN_ISA set to one of them, or give --mixed' error || cat error
      tmerge $mix --mixed -f -o merged.h5 2>note
      grep -q 'the bits are those of no single run' note || cat note
      tdiff "merged.h5:/$result" "one.h5:/$result" --rtol 1e-3 --atol 1e-3 >difference || cat difference
      tmerge --list-missing $mix 2>note
    }
  done
}
each y "" "" attend -q q.h5 -k k.h5 -v k.h5
each y "" "--emit state" attend -q q.h5 -k k.h5 -v k.h5
each topk "--emit topk=3" "--emit state,topk=3" attend -q q.h5 -k k.h5
each y "" "" nwreg -x x.h5 -y y.h5 -q 'q.h5[:,:1]' --bandwidth 0.1
each y "" "--emit state" nwreg -x x.h5 -y y.h5 -q 'q.h5[:,:1]' --bandwidth 0.1
each bandwidth-curve "--bandwidth cv:0.02,2,5 --emit bandwidth-curve" \
  "--bandwidth cv:0.02,2,5 --emit bandwidth-curve" nwreg -x x.h5 -y y.h5
# Gradients, which are parts in any case.
. "$TESTDIR/../transformer-train/shared.shlib"
small_model
transformer-train -m start --init --data lines --after 1u --lr 0 --quiet -o base
gradients() { transformer-train -m base --data lines --emit gradients --quiet "$@"; }
ATTN_ISA=baseline gradients --shard 1/2 -o g1.h5
ATTN_ISA=baseline gradients --shard 2/2 -o g2.h5
gradients --shard 2/2 -o other.h5
ATTN_ISA=baseline gradients -o all.h5
tmerge all.h5 --no-history -f -o whole.h5
tmerge g1.h5 g2.h5 --no-history -f -o merged.h5
cmp whole.h5 merged.h5
tmerge g1.h5 other.h5 -f -o merged.h5 2>error || [ $? -eq 65 ] || echo "gradients of two sets are taken"
grep -q 'or give --mixed' error
tmerge g1.h5 other.h5 --mixed --quiet -f -o merged.h5
tdiff merged.h5:/loss whole.h5:/loss --rtol 1e-5
