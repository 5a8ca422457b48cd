# The losses and their gradients against PyTorch's: within 1e-12 in double with both engines, and in single. See make.py
# for losses.h5.
failed=0
tconv "$TESTDIR/losses.h5" --dtype f32 -o single.h5
while read -r case tool options; do
  case $case in '' | '#'*) continue ;; esac
  for file in "$TESTDIR/losses.h5" single.h5; do
    set --
    for option in $options; do
      case $option in @*) set -- "$@" "$file:/$case/${option#@}" ;; *) set -- "$@" "$option" ;; esac
    done
    tolerance=1e-12
    [ $file != single.h5 ] || tolerance=3e-6
    for engine in auto reference; do
      $tool "$@" --emit dy --engine $engine -f -o l.h5
      for name in y dy; do
        tdiff "l.h5:/$name" "$TESTDIR/losses.h5:/$case/$name" --atol $tolerance --rtol $tolerance ||
          { echo "$case: $name differs ($engine, $file)" && failed=1; }
      done
    done
  done
done <"$TESTDIR/losses.cases"
exit $failed
