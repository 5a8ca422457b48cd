# Threads, verbosity, progress and memory.
. "$SUPPORT/stages.sh"
body() {
  stage_on x.h5 -t 1 -f -o one.h5
  stage_on x.h5 -t 3 -f -o three.h5
  cmp one.h5 three.h5 || complain "other threads, other bits"
  stage_on x.h5 -t 3 --verbose 2>&1 >out.h5 | grep -q "^$tool: 3 threads" || complain "-t 3 --verbose does not say 3 threads"
  case $tool in
    posenc | embed | softmax | tconv) ;;  # have one way to compute
    *) stage_on x.h5 --engine reference --verbose 2>&1 >out.h5 | grep -q 'reference engine' || complain "--engine reference is not said" ;;
  esac
  ATTN_ISA=baseline stage_on x.h5 --verbose 2>&1 >out.h5 | grep -q ' baseline,' || complain "ATTN_ISA=baseline is not said"
  stage_on x.h5 --progress 2>&1 >out.h5 | grep -q "^$tool: done in " || complain "--progress does not say when it is done"
  if stage_on x.h5 --progress --no-progress >out.h5 2>&1; then complain "--progress with --no-progress is accepted"; fi
  code=0
  stage_on x.h5 --max-memory 100 -f -o none.h5 2>errors || code=$?
  [ $code -eq 71 ] || complain "--max-memory 100: exit code $code"
  case $(cat errors) in "$tool: "*" bytes"*) ;; *) complain "--max-memory 100 says $(cat errors)" ;; esac
  [ ! -e none.h5 ] || complain "--max-memory 100 wrote"
  stage_on x.h5 --max-memory 1G >out.h5 || complain "--max-memory 1G refuses"
  rm -f none.h5
  stage_on x.h5 --dry-run -o none.h5 >report || complain "--dry-run fails"
  [ ! -e none.h5 ] || complain "--dry-run wrote"
  grep -q '^read  .*x.h5:/x  (6, 8)  f64  384 bytes$' report || complain "--dry-run does not show the input: $(cat report)"
  grep -q '^write  [a-z]*  (.*bytes$' report || complain "--dry-run does not show the result: $(cat report)"
  [ $tool = tconv ] || grep -q '^compute  [1-9].* FLOP$' report || complain "--dry-run shows no FLOPs: $(cat report)"
  grep -q '^memory  about [0-9]* bytes$' report || complain "--dry-run shows no memory: $(cat report)"
}
for_each_stage body
