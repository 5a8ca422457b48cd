# A trace holds every intermediate; replaying any part of it gives the same bits, alone and one after another.
run() { transformer-run -m "$EXAMPLES/dates" "$@"; }
run --trace run.h5:/a --emit logits -o whole.h5 "3 mars 2021"
tdiff run.h5:/a/logits whole.h5:/logits --rtol 0 --atol 0
run --replay run.h5:/a --from encoder/1 -o end.h5
tdiff end.h5 whole.h5:/logits --rtol 0 --atol 0
run --replay run.h5:/a --from decoder/0 --to decoder/1 -o part.h5
tdiff part.h5 run.h5:/a/decoder/1/output --rtol 0 --atol 0
run --to encoder/norm -o encoder.h5 "3 mars 2021"
tdiff encoder.h5 run.h5:/a/encoder/output --rtol 0 --atol 0
run --trace some.h5 --trace-filter '*/1/self_attn/weights' -o ids.h5 "3 mars 2021"
tconv --list some.h5 | grep -o '[a-z]*coder/1/self_attn/weights'
