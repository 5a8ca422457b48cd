# A run that is stopped and goes on has the bits of one that is not, with other threads, and after kill -9 too.
. "$TESTDIR/shared.shlib"
small_model
options="-m start --init --data data.tsv --valid valid.tsv --batch 16 --lr 1e-2 --schedule linear --warmup 3 --clip-norm 1
  --label-smoothing 0.1 --dropout 0.1 --seed 5 --after 6e --quiet"
transformer-train $options -o whole
same() {
  cmp whole/model.safetensors "$1/model.safetensors"
  cmp whole/log.csv "$1/log.csv"
  tdiff whole/training.h5 "$1/training.h5" --atol 0 --quiet
}
# Stopped by signals, at whatever update, and killed, at whatever moment; then run to the end.
interrupted() {
  for _ in 1 2 3 4 5; do
    transformer-train $options --resume -o "$2" -t "$3" &
    sleep 0.2
    kill -s "$1" $! || true
    code=0
    wait $! || code=$?
    case $1$code in TERM75 | TERM143 | KILL137 | *0) ;; *) echo "signal $1: exit code $code" ;; esac
  done 2>/dev/null
  transformer-train $options --resume -o "$2"
}
# A run that ends within an epoch and goes on has one row for that epoch.
part_of() { transformer-train $options --schedule constant -t 1 "$@"; }
part_of -o whole-constant
part_of --after 7u -o longer
tail -n 1 longer/log.csv | cut -d , -f 1,2
part_of --after 7u --resume -o longer
part_of --resume -o longer
cmp whole-constant/log.csv longer/log.csv
cmp whole-constant/model.safetensors longer/model.safetensors

interrupted TERM stopped 2
same stopped
interrupted KILL killed 1
same killed
