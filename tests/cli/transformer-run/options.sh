# Options that make no sense, alone or together: one line each, exit code 2.
run() { transformer-run "$@" "3 mars 2021" 2>&1 && echo "no error" || echo "$?"; }
run
dates=$EXAMPLES/dates
run -m "$dates" --temperature 0 --sample
run -m "$dates" --top-p 1.5 --sample
run -m "$dates" --beams 0
run -m "$dates" --num-return 2
run -m "$dates" --min-new-tokens 9 --max-new-tokens 3
run -m "$dates" --ids 1x2xi64=3,4
run -m "$dates" --from encoder/0
run -m "$dates" --to encoder/7 -o x.h5
run -m "$dates" --emit cross_attentions --emit-layers 2 -o x.h5
run -m "$dates" --emit cross_attentions --heads x -o x.h5
run -m "$dates" --emit maps
run -m "$dates" --trace t.h5 --trace-filter nothing -o x.h5
run -m "$dates" --bemas 2
run -m "$dates" --temperature inf --sample
run -m "$dates" --repetition-penalty inf
run -m "$dates" --seed 18446744073709551616 --sample
run -m "$dates" --beams 2 --length-penalty -1e300
run -m "$dates" --stop "$(printf '\377')"
run -m "$dates" --to decoder/0 -o x.h5
ls
