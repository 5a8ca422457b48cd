# What --dry-run says of memory is enough for --max-memory, whatever is read and compared, and half of it is not.
matrix() { tconv linspace=-1,1,200000 --reshape 400,500 "$@"; }
matrix --dtype f32 -o x.h5:/x
matrix -o y.h5:/x
matrix -A -o y.h5:/other
matrix --dtype f32 -o x.csv
tconv linspace=1,-1,250000 --reshape 500,500 --dtype f32 -o w.h5:/weight
tconv linspace=0,1,20000 -o t.h5:/x
tconv linspace=0,1,20000 -o u.h5:/y
(echo word && seq -f w%.0f 20000) >s.csv
tconv s.csv --quiet -o s.h5:/x
(echo a,b && seq 20000 | sed 's/.*/&.5,&.25/') >y.csv
cp "$FIXTURES/hdf5/empty.h5" empty.h5
cp x.h5 z.h5
cp y.h5 zz.h5
if command -v h5repack >/dev/null; then
  h5repack -l CHUNK=100x500 -f GZIP=1 x.h5 z.h5
  h5repack -l CHUNK=400x500 -f GZIP=1 y.h5 zz.h5
fi
# The same numbers once more with the first axis the fastest.
tconv linspace=-1,1,1000000 --reshape 1000,1000 -o c.npy
tconv c.npy --transpose -o transposed.npy
sed "s/False, /True,  /" transposed.npy >fortran.npy
tdiff fortran.npy c.npy >/dev/null
tconv linspace=-1,1,24000 --reshape 3000,8 --dtype f32 -o p.h5:/x
seq 20000 | sed 's/$/ March 2021/' >lines.txt
tokenize -m "$EXAMPLES/dates" lines.txt >ids.txt
(cat lines.txt && seq -s ' ' 20000) >long.txt
awk 'BEGIN { for (i = 0; i < 400; ++i) { line = 3; for (j = 1; j < 24; ++j) line = line "," 3 + (7 * i + j) % 30; print line } }' >answers.csv
ln -s "$EXAMPLES/dates" dates
tconv p.h5:/x --dtype f16 -o half.h5:/x
tconv linspace=-1,1,192 --reshape 24,8 --dtype f32 -o maps.h5:/in_proj_weight
tconv linspace=-1,1,64 --reshape 8,8 --dtype f32 -A -o maps.h5:/out_proj.weight
mha p.h5 -w maps.h5 --heads 4 --emit keys,values -o past.h5
tconv linspace=-1,1,512 --reshape 64,8 -o ffn.h5:/linear1.weight
tconv linspace=-1,1,512 --reshape 8,64 -A -o ffn.h5:/linear2.weight
tconv linspace=0,1,200000 --reshape 2,100000 --dtype f32 -o rows.h5:/x
tconv linspace=1,2,100000 --dtype f32 -o gain.h5:/weight
awk 'BEGIN { srand(1); print "x,y"; for (i = 0; i < 70000; ++i) print rand() "," sin(20 * i / 70000) + rand() }' >many.csv
cat >commands <<'END'
tdiff x.h5 x.h5
tdiff x.h5 y.h5:/x
tdiff y.h5 y.h5
tdiff zz.h5 y.h5:/x
tdiff s.h5 s.h5
tdiff s.csv s.h5
tdiff --slab a=0:399,0:9 --slab b=0:399,0:9 x.csv x.h5
tdiff x.csv x.h5
tdiff x.h5 z.h5
tdiff fortran.npy c.npy
tdiff c.npy[:,::-1] fortran.npy[:,::-1]
tconv z.h5
tconv zz.h5 --dtype f32
tconv s.h5
tconv s.csv --quiet
tconv x.csv --dtype f32
tconv x.h5 -O csv
tconv --list x.h5
tconv --list empty.h5
tconv --list --values x.h5
tconv --list --values z.h5
tconv --list --values zz.h5
tconv --list --values zz.h5:/x[:9]
tconv --list --values s.h5
tconv --list --values y.csv:/a
tconv --list --values fortran.npy
tconv --list --values c.npy[:,::-1]
tconv --list x.csv
tconv y.h5:/x --keep other
tconv zz.h5:/x --keep other
tconv x.h5 --check x.h5
tconv x.h5 --check z.h5
tconv x.h5 --check y.h5:/x
tconv y.h5 --check zz.h5
tconv c.npy --check fortran.npy
tconv c.npy[::2] --check fortran.npy[::2]
softmax x.h5 --check y.h5:/x
softmax z.h5 --check x.csv
softmax zz.h5:/x --keep other
softmax x.h5 --stats
softmax x.h5:/x[::2]
softmax x.h5:/x[:,::-1]
tdiff x.h5:/x[:,5:300] y.h5:/x[:,5:300]
linear w.h5:/weight[::2] -w w.h5
addnorm --no-residual x.h5:/x[::-1]
posenc x.h5:/x[::2]
softmax x.csv
linear x.h5 -w w.h5 --check x.h5
linear x.h5 -w w.h5 --keep-input
attend -q z.h5 -k x.h5 -v x.h5
attend -q x.h5 -k x.h5 -v x.h5 --check x.h5
attend -q p.h5 -k p.h5 -v p.h5 --emit weights -O csv
attend -q p.h5 -k p.h5 -v p.h5 --emit weights,scores --dtype f64
attend -q p.h5 -k p.h5 -v p.h5 --emit weights,scores --stats --dtype f64
mha p.h5 -w maps.h5 --heads 4 --emit weights --dtype f64
mha p.h5 -w maps.h5 --heads 4 --emit weights --average
mha p.h5 -w maps.h5 --heads 4 --emit weights --average --dtype f64
mha p.h5 -w maps.h5 --heads 4 --emit q,k,v,heads,keys,values
mha half.h5 -w maps.h5 --heads 4 --emit q,k,v,heads,keys,values
mha p.h5 -w maps.h5 --heads 4 --past-key past.h5:/keys --past-value past.h5:/values --emit keys,values
addnorm --no-residual rows.h5 -w gain.h5
addnorm x.h5 -r y.h5:/other
tconv x.h5 --transpose -O csv
posenc --length 300 --dim 128 --kind rotary
embed 2000xi64=1 -w 5x300xf16=1.5
mha p.h5 -w maps.h5 --heads 4 --zero-attention
mha p.h5 -w maps.h5 --heads 4 --zero-attention --causal
ffn p.h5 -w ffn.h5 --emit hidden
addnorm y.h5:/other -r x.h5 -w gain.h5:/weight[:500]
addnorm -r rows.h5 rows.h5 -w gain.h5 -b gain.h5:/weight --dtype f64
tokenize -m dates lines.txt
tokenize -m dates lines.txt -O h5
tokenize -m dates lines.txt -O csv
tokenize -m dates lines.txt -O h5 --offsets --dtype i32
tokenize -m dates lines.txt -O h5 --stats
tokenize -m dates --decode ids.txt
tokenize -m dates long.txt
tokenize -m dates long.txt --json --offsets
tokenize -m dates long.txt -O h5 --offsets
transformer-run -m dates --ids answers.csv -f -o given.h5 --decoder-ids answers.csv
transformer-run -m dates --ids answers.csv -f -o given.h5 --decoder-ids answers.csv --emit cross_attentions --dtype f64
transformer-run -m dates --ids answers.csv -f -o given.h5 --decoder-ids answers.csv --emit encoder_attentions,decoder_hidden_states
transformer-run -m dates --ids answers.csv -f -o given.h5 --max-new-tokens 24 --emit encoder_hidden_states
posenc z.h5
addnorm z.h5 --no-residual --dtype f64
nwreg -x t.h5 -y u.h5 --bandwidth 0.1
nwreg -x t.h5 -y u.h5 --bandwidth cv
nwreg -x many.csv:/x -y many.csv:/y --bandwidth cv
nwreg -x many.csv:/x -y many.csv:/y --bandwidth aicc
nwreg -x many.csv:/x -y many.csv:/y --bandwidth cv --kernel parabolic
nwreg -x t.h5 -y u.h5 --bandwidth 0.1 --kernel boxcar
nwreg -x t.h5 -y u.h5 --bandwidth 0.1 --emit se
nwreg -x t.h5 -y u.h5 --bandwidth 0.1 --emit band,neff
nwreg -x t.h5 -y u.h5 -q linspace=0,1,50000 --bandwidth 0.1
END
while read -r command; do
  said=$($command -n | sed -n 's/^memory  \([0-9]*\) bytes$/\1/p')
  code=0
  $command --max-memory "$said" >/dev/null 2>errors || code=$?
  [ $code -le 1 ] || echo "$command: $said bytes: $code $(cat errors)"
  code=0
  $command --max-memory $((said / 2)) >/dev/null 2>errors || code=$?
  [ $code -eq 71 ] || echo "$command: half of $said bytes: $code"
done <commands
