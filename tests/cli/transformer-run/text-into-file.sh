# -o takes lines of text, whole or not at all, unless its suffix or -O is that of a tensor file.
d=$EXAMPLES/dates
transformer-run -m "$d" -o out.txt "3 mars 2021" "5. mai 1999"
cat out.txt
transformer-run -m "$d" -o out.txt "3 mars 2021" 2>&1 || echo $?
transformer-run -m "$d" -f -o out.txt "3 mars 2021"
cat out.txt
printf '3 mars 2021\n\377\n' | transformer-run -m "$d" -o bad.txt 2>&1 || echo $?
transformer-run -m "$d" -A -o out.txt "3 mars 2021" 2>&1 || echo $?
transformer-run -m "$d" -o ids.h5 "3 mars 2021"
transformer-run -m "$d" -O h5 -o tensors "3 mars 2021"
transformer-run -m "$d" -o named:/ids "3 mars 2021"
tdiff ids.h5:/y tensors:/y
tdiff ids.h5:/y named:/ids
ls
