# What goes wrong at the edge of a run says so: tasks that a model has no part for, ids under a narrow --dtype, lines by
# their number, a trace and a result that are one file, a model that computes no numbers.
d=$EXAMPLES/dates
fails() { "$@" 2>&1 >/dev/null && echo "no error" || echo $?; }
fails transformer-run -m "$d" --task perplexity "3 mars 2021"
# Ids stay integers: those above 256 are no numbers of bf16.
transformer-run -m "$d" --ids 1x2xi64=3,4 --max-new-tokens 2 --dtype bf16 -o y.h5
tconv --list y.h5 --select y | sed -n 's/^y  *//p'
printf '3 mars\nbad\377\n' >lines
fails transformer-run -m "$d" --emit encoder -o e.h5 <lines
fails transformer-run -m "$d" --trace t.h5 <lines
fails transformer-run -m "$d" --trace t.h5 --on-error skip <lines
fails transformer-run -m "$d" --trace t.h5:/a -o t.h5 "3 mars"
for what in "--trace t.h5" "--emit encoder" "-O csv" "--ids 1x2xi64=3,4" text; do fails transformer-run -m "$d" --list $what; done
# Stop texts are taken whole, commas and all.
transformer-run -m "$d" --stop , --stop -03 "3 mars 2021"
