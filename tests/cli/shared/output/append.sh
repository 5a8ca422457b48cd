# -A adds a dataset to a file; a name that exists needs -f.
. "$SUPPORT/stages.sh"
mkfifo in
body() {
  rm -f out.h5
  tconv 2=1,2 -o out.h5:/first
  stage_on x.h5 -A -o out.h5:/second
  stage_on x.h5 | tdiff - out.h5:/second || complain "-A wrote something else"
  tdiff out.h5:/first 2=1,2 || complain "-A spoiled what was there"
  code=0
  stage_on x.h5 -A -o out.h5:/first 2>errors || code=$?
  [ $code -eq 73 ] || complain "-A over an existing dataset: exit code $code: $(cat errors)"
  # Before there is any input.
  sleep 20 >in &
  code=0
  stage_on - -A -o out.h5:/first <in 2>errors || code=$?
  kill $!
  [ $code -eq 73 ] || complain "-A over an existing dataset is refused late: exit code $code: $(cat errors)"
  stage_on x.h5 -A -f -o out.h5:/first
  tdiff out.h5:/first out.h5:/second || complain "-A -f did not replace the dataset"
}
for_each_stage body
