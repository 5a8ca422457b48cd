# A file holds one picture: of several batches none is drawn. The terminal shows each.
command -v gnuplot >/dev/null || { echo "gnuplot is not installed" >&2; exit 77; }
tconv 3=1,2,3 -o 1.h5 && tconv 3=3,2,1 -o 2.h5
for out in st.png 'st.svg -f'; do cat 1.h5 2.h5 | tplot -o $out || echo $?; done
ls
cat 1.h5 | tplot -o st.png
cat 1.h5 2.h5 | tplot --size 30x8 | grep -c '+--'
