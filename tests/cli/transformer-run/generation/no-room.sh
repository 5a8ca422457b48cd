# Where the model has fewer positions behind the prompt than --max-new-tokens asks for, a note says so: of ids, beams and
# text, also where there is none; not of answers that ended by themselves or that nothing was asked of.
m=$CONFORMANCE/models/gpt2
run() { echo "$*" | cut -c 1-60 && transformer-run -m "$m" --ignore-end "$@" 2>&1 >/dev/null; }
full=$(seq -s , 5 68)
run --max-new-tokens 3 --ids "1x64xi64=$full" -O npy
run --max-new-tokens 3 --beams 2 --ids "1x64xi64=$full" -O npy
run --max-new-tokens 3 --beams 2 --ids "1x62xi64=${full%,67,68}" -O npy
run --max-new-tokens 3 --num-return 2 --sample --ids "1x62xi64=${full%,67,68}" -O npy
run --max-new-tokens 3 --min-new-tokens 3 --ids "1x62xi64=${full%,67,68}" -O npy
run --max-new-tokens 2 --ids "1x62xi64=${full%,67,68}" -O npy
run --ids "1x62xi64=${full%,67,68}" -O npy
run --quiet --max-new-tokens 3 --ids "1x64xi64=$full" -O npy
run --max-new-tokens 3 "$(yes man | head -n 62 | tr '\n' ' ')"
run --max-new-tokens 100 "$(yes man | head -n 60 | tr '\n' ' ')" man
run --max-new-tokens 3 man

# The same for --min-new-tokens.

min() { transformer-run -m "$m" --ids 2x3xi64=5,6,7,8,9,10 --min-new-tokens "$@" 2>&1; }
min 70 -O csv | wc -l
min 70 -o y.h5
min 61 -f -o y.h5
