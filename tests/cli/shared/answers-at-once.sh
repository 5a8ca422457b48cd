# A batch of a stream is answered when it is there, not when the next one comes.
. "$SUPPORT/stages.sh"
mkfifo in
body() {
  stage_on - --no-history <in >out &
  exec 3>in
  cat x.h5 >&3
  tries=0
  until [ -s out ]; do
    tries=$((tries + 1))
    [ $tries -lt 200 ] || break
    sleep 0.05
  done
  [ -s out ] || complain "waits for a second batch before it answers the first"
  cat x.h5 >&3
  exec 3>&-
  wait $! || complain "fails"
  stage_on x.h5 --no-history >once
  cat once once | cmp - out || complain "two batches are not the two results"
}
for_each_stage body
