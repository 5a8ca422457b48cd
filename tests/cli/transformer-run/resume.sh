# --resume: a run that was cut short goes on where it ended, whatever happened to the lines; the output is that of an
# undisturbed run, and nothing is left beside it.
d=$EXAMPLES/dates
printf '%s\n' '3 mars 2021' '5. mai 1999' '1/2/99' >lines
run() { transformer-run -m "$d" --resume --batch 1 -t 1 "$@"; }
# A bad line ends the run; the lines before it are finished.
{ cat lines; printf '\377\n'; } >bad
run -o out.txt <bad || echo $?
ls -A
# Lines that moved, and one that is new.
{ echo '7 juin 2003' && tail -n 2 lines; } >moved
run -o out.txt <moved
transformer-run -m "$d" <moved | cmp - out.txt
ls -A
# Lines that come again in one run were not finished before it.
cat lines lines | run -o twice.txt
cat lines lines | transformer-run -m "$d" | cmp - twice.txt
rm twice.txt
# A torn block is dropped.
run -o torn.txt <bad || echo $?
head -c -3 .torn.txt.partial >torn && cp torn .torn.txt.partial
run -o torn.txt <lines
transformer-run -m "$d" <lines | cmp - torn.txt
# Other options, or another model, start again.
run -o beams.txt <bad || echo $?
run --beams 2 -o beams.txt <lines
transformer-run -m "$d" --beams 2 <lines | cmp - beams.txt
cp -R "$d" other && run -o model.txt <bad || echo $?
echo >>other/config.json
transformer-run -m other --resume -o model.txt <lines
# A second writer is refused.
run -o held.txt <bad || echo $?
flock .held.txt.partial sh -c 'transformer-run -m "$1" --resume -o held.txt <lines' - "$d" || echo $?
# SIGTERM ends a run after the lines at work; vectors are taken up as lines are.
set -- transformer-run -m "$d" --task feature-extraction --pool mean --batch 1 -t 1 --quiet
mkfifo pipe
"$@" --resume -o v.h5 <pipe &
exec 3>pipe
head -n 2 lines >&3
until [ -e .v.h5.partial ] && [ "$(wc -c <.v.h5.partial)" -gt 100 ]; do sleep .01; done
kill -TERM $!
tail -n 1 lines >&3 || :  # unless it has ended
exec 3>&-
wait $! || echo $?
"$@" --resume -o v.h5 <lines
"$@" -o expected.h5 <lines
tdiff v.h5 expected.h5 --ulp 0
# What has no lines has nothing to resume.
transformer-run -m "$d" --resume <lines || echo $?
transformer-run -m "$d" --resume --emit logits -o l.h5 <lines || echo $?
rm -R other && ls -A
