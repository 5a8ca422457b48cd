# mpirun as a launcher: each process computes the shard of its rank.
command -v mpirun >/dev/null || { echo 'mpirun is not installed' >&2; exit 77; }
posenc --length 30000 --dim 4 --dtype f32 -o k.h5
attend -q 'k.h5:/y[:4]' -k k.h5 -v k.h5 -o one.h5
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -n 4 sh -c '
  i=$((${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-}} + 1))
  attend -q "k.h5:/y[:4]" -k k.h5 -v k.h5 -t 1 --shard $i/4 --emit state -o part-$i.h5'
tmerge part-*.h5 | tdiff - one.h5 --ulp 0
