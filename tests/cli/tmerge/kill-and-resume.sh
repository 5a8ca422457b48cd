# GNU parallel runs the shards, of which some are killed; those run again, and so do parts that are lost later.
command -v parallel >/dev/null || { echo 'needs GNU parallel' >&2; exit 77; }
posenc --length 70000 --dim 4 --dtype f32 -o k.h5
attend -q 'k.h5:/y[:4]' -k k.h5 -v k.h5 -o one.h5
cat >job <<'J'
run() { [ -e "part-$1.h5" ] || exec attend -q 'k.h5:/y[:4]' -k k.h5 -v k.h5 -t 1 --shard "$1/16" --emit state -o "part-$1.h5"; }
case $1 in
  3 | 7 | 16)
    if mkdir "lost-$1" 2>/dev/null; then
      run "$1" &
      kill -KILL $!
      wait $!
    fi ;;
esac
run "$1"
J
sed -i 's/^      wait \$!$/      wait $!\n      exit 137/' job
all_jobs() { parallel -j 2 --joblog log "$@" sh job; }
seq 16 | all_jobs 2>/dev/null || echo "$? killed"
rmdir lost-* && mkdir lost-3 lost-7 lost-16
seq 16 | all_jobs --resume-failed
tmerge part-*.h5 | tdiff - one.h5 --ulp 0
rm part-2.h5 part-5.h5 part-16.h5
tmerge --list-missing part-*.h5 | sed 's:/.*::' | parallel -j 2 sh job
tmerge part-*.h5 | tdiff - one.h5 --ulp 0
# kill -9 leaves no time to remove an unfinished file.
rm -f .part-*.tmp
ls -A
