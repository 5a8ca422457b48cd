# examples/learn-head.sh: the new head learns, and the rest of the model is as before.
"$EXAMPLES/learn-head.sh" head 1 2>said | cut -f 1 | grep -c -x -e winter -e spring -e summer -e autumn
tail -n 1 head/seasons/log.csv | awk -F , '{ print $2, ($4 < 1.35) }'
for name in months seasons; do
  tconv head/$name/model.safetensors --select 'bert.*' -o $name.h5
done
tdiff months.h5 seasons.h5 --atol 0 --quiet
# A second run has nothing to train.
"$EXAMPLES/learn-head.sh" head 1 2>said | cut -f 1 | grep -c -x -e winter -e spring -e summer -e autumn
grep -c "nothing is left to do" said
