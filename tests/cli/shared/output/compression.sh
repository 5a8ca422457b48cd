# Every tool compresses what it writes to HDF5, and names its axes.
. "$SUPPORT/stages.sh"
body() {
  stage_on x.h5 -o plain.h5 -f
  stage_on x.h5 -o packed.h5 -f --compress zstd --shuffle --chunks 2,3
  tdiff packed.h5 plain.h5 || complain "--compress changes numbers"
  tconv --list plain.h5 | grep -q '(6, 8)' || return 0
  stage_on x.h5 -o named.h5 -f --dims row,column
  tconv --list named.h5 | grep -q '^column ' || complain "--dims names no axis"
}
for_each_stage body
