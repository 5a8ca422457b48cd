# Whole files are matched by name; --strict looks at types and attributes too.
tconv 2=1,2 -o a.h5:/same
tconv 2=1,2 -A -o a.h5:/changed
tconv 2=1,2 -A -o a.h5:/gone
tconv 2xf32=1,2 -o b.h5:/same
tconv 2=1,3 -A -o b.h5:/changed
tconv 3=1,2,3 -A -o b.h5:/new
tdiff a.h5 b.h5 || echo $?
echo "-- strict"
tdiff a.h5:/same b.h5:/same
tdiff a.h5:/same b.h5:/same --strict || echo $?
