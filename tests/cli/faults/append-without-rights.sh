# -A to a file that its owner made read-only replaces it, as -f does, and leaves its mode; one that cannot be read says so.
as_other=
if [ "$(id -u)" -eq 0 ]; then # whom no mode keeps from anything
  command -v setpriv >/dev/null || { echo "setpriv (util-linux) is not installed" >&2; exit 77; }
  as_other='setpriv --reuid=65534 --regid=65534 --clear-groups'
  chmod a+x .. && chown 65534 . && $as_other test -x "$(command -v tconv)" || {
    echo "another user cannot run the tools where they are" >&2
    exit 77
  }
fi
other() { $as_other "$@"; }
try() {
  code=0
  other "$@" 2>&1 || code=$?
  echo $code
}
other tconv 2=1,2 -o a.h5:/first
chmod 400 a.h5
try tconv 1=3 -A -o a.h5:/second -n | tail -n 1
try tconv 1=3 -A -o a.h5:/second
stat -c %a a.h5
other tconv a.h5:/second -O csv --no-header
try tconv 1=3 -f -o a.h5:/third
stat -c %a a.h5
for mode in 200 000; do
  chmod $mode a.h5
  try tconv 1=3 -A -o a.h5:/fourth -n
  try tconv 1=3 -A -o a.h5:/fourth
done
ls -A
