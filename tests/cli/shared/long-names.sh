# The long names of options that other tests call by their letters; and every option that all tools share has a test here.
. "$SUPPORT/stages.sh"

body() {
  stage_on x.h5 -o short.h5 -f --no-history
  stage_on x.h5 --output long.h5 --overwrite --output-format h5 --threads 1 --no-history
  cmp short.h5 long.h5 || complain "long names do something else"
  code=0
  stage_on x.h5 --output long.h5 2>errors || code=$?
  [ $code -eq 73 ] || complain "--output onto a file that exists: exit code $code"
  tconv 1=1 --replace-file -o more.h5:/first
  stage_on x.h5 --output more.h5 --append
  tconv --list more.h5 | grep -q '^first ' || complain "--append does not add"
  stage_on x.h5 --output-format csv --precision 3 >long.csv
  stage_on x.h5 -O csv --precision 3 | cmp - long.csv || complain "--output-format is ignored"
  stage_on x.h5 --threads 3 --verbose 2>&1 >out.h5 | grep -q "^$tool: 3 threads" || complain "--threads 3 is not said"
  $tool --help-all | grep -o -e '--[a-z][a-z-]*' | sort -u >options
  if [ -e common ]; then comm -12 common options >both && mv both common; else mv options common; fi
}
for_each_stage body
[ "$(wc -l <common)" -gt 25 ] || echo "hardly any option is shared: $(cat common)"
while read -r option; do
  grep -rq --include="*.sh" -e "$option\b" "$TESTDIR" || echo "$option has no test for all tools"
done <common
