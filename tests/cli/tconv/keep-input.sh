# --keep-input writes the one input beside the result, as it was before all changes, --slab too, with its attributes.
tconv 2x3=1,2,3,4,5,6 -o a.h5:/a
for changes in --transpose '--axes 1,0' '--reshape 6' '--slab 0:1' '--split 0' '--rename a=b' '--dtype f32' \
  '--split 1 --parts 3 --dtype i8'; do
  # shellcheck disable=SC2086
  tconv a.h5 $changes -o plain.h5 -f
  # shellcheck disable=SC2086
  tconv a.h5 $changes --keep-input -o both.h5 -f
  tdiff both.h5:/x a.h5:/a >report || cat report
  for name in $(tconv --list plain.h5 | grep -v @ | cut -d ' ' -f 1); do
    tdiff both.h5:/"$name" plain.h5:/"$name" >report || cat report
  done
done
# A slab of the operand's own is the input; a literal is one too, and a column of a table with its name.
tconv 'a.h5:/a[0]' --dtype i8 --keep-input | tconv -:/x -O csv --no-header
tconv 2=1,2 --reshape 2,1 --keep-input -O h5 | tconv --list | grep -v @
printf 'p,q\n1,w\n2,v\n' >t.csv
tconv t.csv:/p --slab 0:1 --keep-input -O h5 | tconv --list | grep -v @history
tconv a.h5 --keep-input | tdiff -:/x a.h5
# Which input is meant nobody knows, or the result has that name.
for words in 'a.h5 a.h5:/a --stack 0' 'a.h5:/a --rename a=x'; do
  # shellcheck disable=SC2086
  code=0 && tconv $words --keep-input -O h5 2>&1 || code=$?
  echo $code
done
