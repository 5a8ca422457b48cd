# Results say how they were made: the newest line first, no time unless it is asked for, equal bytes for equal runs.
. "$SUPPORT/stages.sh"
history_of() { tconv --list --json "$1" | sed -n 's/^ *"history": "\(.*\)"$/\1/p' | sed 's/\\n/\n/g'; }
tconv x.h5 -f -o first.h5
body() {
  stage_on first.h5 -f -o a.h5
  stage_on first.h5 -f -o b.h5 -t 1 --quiet --no-progress
  cmp a.h5 b.h5 || complain "equal runs give other bytes"
  history_of a.h5 >lines
  case $(sed -n 1p lines) in "$tool "*first.h5*"(attnutils "*) ;; *) complain "history starts with $(head -n 1 lines)" ;; esac
  grep -q '^tconv x.h5' lines || complain "the history of the input is lost"
  stage_on first.h5 -f -o a.h5 --no-history
  [ -z "$(history_of a.h5)" ] || complain "--no-history has one"
  stage_on first.h5 -f -o a.h5 --timestamp
  case $(history_of a.h5 | sed -n 1p) in 20??-??-??T??:??:??Z\ $tool*) ;; *) complain "--timestamp: $(history_of a.h5 | sed -n 1p)" ;; esac
  SOURCE_DATE_EPOCH=86400 stage_on first.h5 -f -o a.h5
  case $(history_of a.h5 | sed -n 1p) in 1970-01-02T00:00:00Z\ $tool*) ;; *) complain "SOURCE_DATE_EPOCH is ignored" ;; esac
  stage_on x.h5 -O safetensors --timestamp | tconv --list | grep -q '@history = 20..-' || complain "no time in safetensors"
}
for_each_stage body
