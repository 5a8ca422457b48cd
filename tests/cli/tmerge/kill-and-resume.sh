# GNU parallel, make and mpirun run the shards. Some are killed at random and run again; so is a part that is lost later.
# The result is that of one run, for any number of shards.
for launcher in parallel make mpirun; do
  command -v $launcher >/dev/null || { echo "needs $launcher" >&2; exit 77; }
done
posenc --length 70000 --dim 4 --dtype f32 -O npy -o k.npy
tconv 'k.npy[:70]' -O npy -o q.npy
cat >job <<'J'
# job NAME I/N OPTION...: computes the part, unless it is there. Up to three jobs are killed, at random.
random() { echo $(($(od -An -N1 -tu1 /dev/urandom) % $1)); }
part=$1-${2%/*}.h5 shard=$2
[ ! -e "$part" ] || exit 0
shift 2
attend -q q.npy -k k.npy "$@" -t 1 --shard "$shard" -o "$part" &
if [ "$(random 3)" = 0 ] && mkdir "killed-$(random 3)"; then
  sleep "0.0$(random 2)"
  kill -KILL $!
  wait $!
  exit 137
fi
wait $!
J
cat >Makefile <<'M'
y.h5: $(foreach i,$(shell seq $(N)),make-$i.h5); tmerge $^ -f -o $@
make-%.h5:; sh job make $*/$(N) $(OPTIONS)
M
until_done() { until "$@" >/dev/null 2>&1; do :; done; }
by_parallel() {
  seq "$n" >shards
  until_done parallel -j 2 --joblog "log-$n" --resume-failed -a shards sh job parallel "{}/$n" "$@"
  tmerge --list-missing parallel-*.h5 >shards
  until_done parallel -j 2 -a shards sh job parallel {} "$@"
  tmerge parallel-*.h5 -f -o y.h5
}
by_make() { until_done make -s -k -j 2 N="$n" OPTIONS="$*"; }
by_mpirun() {
  # Open MPI sometimes waits for ever for a process that ended while it was being started.
  until_done timeout 30 env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -n "$n" sh -c '
    n=$1 rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-}}
    shift
    sh job mpirun $((rank + 1))/$n "$@"' sh "$n" "$@"
  tmerge mpirun-*.h5 -f -o y.h5
}
check() {
  launcher=$1 n=$2
  shift 2
  rm -rf ./*-*.h5 log-* killed-* y.h5
  "by_$launcher" "$@"
  tdiff y.h5 one.h5 --ulp 0
  [ "$n" -gt 1 ] || return 0
  rm "$launcher-$n.h5" y.h5
  "by_$launcher" "$@"
  tdiff y.h5 one.h5 --ulp 0
}
set -- -v k.npy --emit state
attend -q q.npy -k k.npy -v k.npy -o one.h5
for launcher in parallel make mpirun; do
  for n in 1 2 3 7 64; do check $launcher $n "$@"; done
done
set -- -v k.npy --causal-bottom-right --emit lse
attend -q q.npy -k k.npy "$@" -f -o one.h5
check parallel 7 "$@"
check make 64 "$@"
check mpirun 3 "$@"
attend -q q.npy -k k.npy --emit topk=5 -f -o one.h5
for launcher in parallel make mpirun; do check $launcher 7 --emit state,topk=5; done
