# An explanation is lines of text: in the file of -o too, and what asks for tensors is refused.
explain() { attend 4x2=1,2,3,4,5,6,7,8 --explain 1 "$@"; }
explain >expected
tconv 2=1,2 -O h5 -o taken
cp taken before
explain -o taken || echo "taken: exit code $?"
cmp taken before
explain -f -o taken
cmp taken expected
explain -o new.txt
cmp new.txt expected
while read -r options; do
  # shellcheck disable=SC2086
  explain $options && echo "$options: accepted" || echo "$options: exit code $?"
done <<END
--check 0.123
--check nofile.h5
--emit weights
--keep y
--keep-input
-O csv
-A -o taken
-A -o another
END
cmp taken expected
[ ! -e another ]
attend 4x2=1,2,3,4,5,6,7,8 --explain 1 -n | grep -c memory
attend -q str=a -k str=a -v str=b --normalize hard --explain 0 || echo $?
