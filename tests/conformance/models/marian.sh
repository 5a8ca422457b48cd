# A Marian learns answers in the pieces of target.spm: the loss of the first update is that of transformers 5.24 with
# text_target, 6.264240 in the pieces of source.spm.
M=$TESTDIR/marian
train() { transformer-train -m "$1" --data "$M/train.tsv" --batch 3 --after 1u --lr 1e-9 --quiet -o new; }
train "$M"
awk -F , 'NR == 2 { d = $3 - 6.195901; print (d < 1e-6 && d > -1e-6) }' new/log.csv
cp -r "$M" lacks && rm -rf new lacks/target.spm
train lacks || echo $?
