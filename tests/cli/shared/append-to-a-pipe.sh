# Nothing is appended to a pipe: that is said before it is opened, which would wait for who reads it, and by -n too.
mkfifo pipe
ln -s pipe link
for name in pipe link; do
  for run in '' -n; do
    # shellcheck disable=SC2086
    timeout 10 tconv 2=1,2 -A $run -o $name 2>&1 || echo $?
    # shellcheck disable=SC2086
    timeout 10 tconv 2=1,2 -A -f $run -o $name:/y 2>&1 || echo $?
  done
done
