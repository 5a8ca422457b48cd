# Tensors of a file go into a pipe as the pages they are: the same bits, wherever they begin, and whatever becomes of the
# file's name; a reader that leaves early ends the writer.
tconv 300x301xf32=0.5 -o ones.h5
tconv linspace=0,1,90001 -o line.npy
for file in ones.h5 line.npy; do tconv "$file" -o - | tdiff - "$file" && echo same; done
tconv line.npy -O npy | cmp - line.npy && echo "same bytes"
tconv line.npy --slab 7: -o part.h5
tconv line.npy --slab 7: -o - | tdiff - part.h5 && echo same
(tconv line.npy -o - && rm line.npy) | { sleep 0.1 && tconv - -o late.h5; }
tdiff late.h5 linspace=0,1,90001 && echo same
tconv ones.h5 -o - | head -c 9 | tail -c 8 | tr -d '\r\n\032'
