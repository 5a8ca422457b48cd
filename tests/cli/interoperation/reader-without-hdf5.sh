# A program without an HDF5 library reads what the tools write: files, pipes, streams.
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
read_image() { python3 "$SUPPORT/read_image.py"; }
tconv 2x3xf32=1,2,3,4,5,6 --no-history -o a.h5:/enc/0/q
tconv 2xi64=-7,9 --no-history -A -o a.h5:/enc/ids
tconv 3xbool=1,0,1 --no-history -A -o a.h5:/flags
tconv 2xf16=0.5,-2 --no-history -A -o a.h5:/half
tconv 2xbf16=0.5,-2 --no-history -A -o a.h5:/brain
tconv 3xu8=0,1,255 --no-history -A -o a.h5:/bytes
tconv 0x4=0 --no-history -A -o a.h5:/none
tconv 0.25 --no-history -A -o a.h5:/scalar
tconv str=Smith,Satō,,Li -A -o a.h5:/names
read_image <a.h5
echo "-- a stream"
{ tconv 2=1,2 && tconv 2=3,4; } | tconv - | read_image
echo "-- columns"
printf 'age,height\n31,1.8\n' | tconv | read_image
echo "-- attributes"
tconv --quiet --no-history "$FIXTURES"/hdf5/attributes.h5 | read_image
echo "-- many groups"
tconv linspace=0,299,300 --split 0 --rename "$(seq -s, 0 299 | sed 's/[0-9]*/y\/&=g&\/v/g')" --no-history -o many.h5
read_image <many.h5 | sort -V | sed -n '1p;$p'
read_image <many.h5 | wc -l
