# Images that follow each other are a stream: a tool works on each and writes as many.
. "$SUPPORT/stages.sh"
tconv x.h5 --reshape 8,6 | tconv --transpose -o other.h5:/x
body() {
  stage_on x.h5 --no-history >a
  stage_on other.h5 --no-history >b
  cat a b >expected
  cat x.h5 other.h5 | stage_on - --no-history >both
  cmp both expected || complain "two batches are not the two results"
}
for_each_stage body
