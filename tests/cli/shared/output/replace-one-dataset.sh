# -f with a dataset in the output replaces that dataset and keeps the rest, for every tool that writes tensors. Running a
# command twice leaves the bytes that running it once leaves. Without a dataset, and with --replace-file, the file goes.
. "$SUPPORT/stages.sh"
tconv 3=1,2,3 -o all.h5:/z
tconv str=a,bc -A -o all.h5:/g/words
tconv 100=7 -A -o all.h5:/y
body() {
  cp all.h5 out.h5
  stage_on x.h5 -f -o out.h5:/y
  stage_on x.h5 | tdiff - out.h5:/y || complain "-f -o FILE:/y wrote something else"
  tdiff out.h5:/z 3=1,2,3 && tdiff out.h5:/g/words str=a,bc || complain "-f -o FILE:/y spoiled the rest"
  cp out.h5 once.h5
  stage_on x.h5 -f -o out.h5:/y
  stage_on x.h5 -A -f -o out.h5:/y
  cmp out.h5 once.h5 || complain "three times is not once"
  # A name that is not there is added.
  stage_on x.h5 -f -o out.h5:/new
  cp out.h5 once.h5
  stage_on x.h5 -f -o out.h5:/new
  cmp out.h5 once.h5 || complain "a new name twice is not once"
  tdiff out.h5:/y out.h5:/new && tdiff out.h5:/z 3=1,2,3 || complain "-f -o FILE:/new spoiled the rest"
  code=0
  stage_on x.h5 -o out.h5:/y 2>errors || code=$?
  [ "$code: $(cat errors)" = "73: $tool: out.h5: exists; -A adds a dataset to it, and -f replaces one" ] ||
    complain "without -f: $code: $(cat errors)"
  code=0
  stage_on x.h5 -f -o out.h5:/g 2>errors || code=$?
  [ $code -eq 73 ] || complain "over a group: $code: $(cat errors)"
  cmp out.h5 once.h5 || complain "a refused output has changed"
  # As if there were no file.
  stage_on x.h5 -o fresh.h5:/y -f --replace-file
  stage_on x.h5 -f -o unnamed.h5
  cp once.h5 out.h5
  stage_on x.h5 -f -o out.h5
  cmp out.h5 unnamed.h5 || complain "-f -o FILE is no new file"
  cp once.h5 out.h5
  stage_on x.h5 --replace-file -o out.h5:/y
  cmp out.h5 fresh.h5 || complain "--replace-file gives no new file"
  stage_on x.h5 -f -o out.h5:/y
  cmp out.h5 fresh.h5 || complain "the only dataset of a file, replaced, is no new file"
  [ "$(ls -A | grep -c 'out\.h5')" = 1 ] || complain "left something behind"
}
for_each_stage body
# Several results of one run, and an output that is also an input: of a dataset that stays, and of the one that goes,
# where twice is not once.
attend -q x.h5 -k x.h5 -v x.h5 --emit lse,weights -f -o all.h5:/y
attend -q all.h5:/y -k x.h5 -v x.h5 --emit lse -f -o all.h5:/lse2
attend -q x.h5 -k x.h5 -v x.h5 --emit lse,weights -f -o all.h5:/y
tconv --list all.h5 | grep '^[a-z]'
for i in 1 2; do softmax all.h5:/z -f -o all.h5:/y && cp all.h5 $i.h5; done
cmp 1.h5 2.h5
tconv --list all.h5 | grep -c 'softmax all.h5:/z'
for i in 1 2; do softmax all.h5:/y -f -o all.h5:/y; done
softmax 1.h5:/y | softmax | tdiff - all.h5:/y
tconv --list all.h5 | grep -c 'softmax all.h5:/y'
# The clock of a run that is gone goes with it.
for time in 1 2; do SOURCE_DATE_EPOCH=$time softmax 3=1,2,3 -f -o all.h5:/z; done
tconv --list all.h5 | grep -c 'softmax 3=1,2,3'
# What is no HDF5 is replaced as a whole.
echo old >old.h5
tconv 2=1,2 -f -o old.h5:/y
tdiff old.h5:/y 2=1,2
tconv 2=1,2 -f -o all.csv
tconv 2=3,4 -f -O csv -o all.h5
head -n 2 all.h5
tconv 2=3,4 -A --replace-file -o old.h5:/z 2>&1 || echo $?
# A link stays, the mode of the file too, and a dataset behind a link is replaced where it is.
tconv 2=1,2 -o file.h5:/a
chmod 640 file.h5
ln -s file.h5 link.h5
tconv 2=3,4 -f -o link.h5:/b
[ -L link.h5 ] && stat -c %a file.h5
tconv --list link.h5 | grep '^[ab]'
transformer-run -m "$EXAMPLES/dates" --trace file.h5:/run --trace-filter encoder/0/self_attn/q -f "3 May" >gone
tconv --list file.h5 | grep '^[a-z]'
