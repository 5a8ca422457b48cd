# Line ends and zeros behind an image, as editors and killed writers leave them, are passed over with a note; all else is
# refused with the command that cuts it off.
. "$SUPPORT/try.sh"
tconv 2=1,2 -o x.h5
bytes=$(wc -c <x.h5)
{ cat x.h5 && printf '\r\n\n'; } >lines.h5
{ cat x.h5 && head -c 100000 /dev/zero; } >zeros.h5
{ cat x.h5 && printf '\n' && cat x.h5; } >two.h5
{ cat x.h5 && printf '\n\nend'; } >junk.h5
cat x.h5 x.h5 | head -c $((bytes + 1000)) >cut.h5
cat x.h5 x.h5 | head -c $((bytes + 5)) >sign.h5
for name in lines zeros two junk cut sign; do
  for command in "tdiff $name.h5 x.h5" "tconv --list $name.h5" "softmax $name.h5 -o y.h5 -f"; do
    echo "$command: $($command 2>&1 >/dev/null | sed "s/ $bytes / SIZE /; s/ of $bytes;/ of SIZE;/")"
  done
done
tconv - -O csv <lines.h5 2>&1
tconv - -O csv <junk.h5 2>&1 | sed "s/ $bytes / SIZE /"
gzip -k junk.h5
tconv junk.h5.gz -O csv 2>&1 | sed "s/ $bytes / SIZE /"
# The command works.
for name in junk cut sign; do
  $(tconv $name.h5 -O csv 2>&1 | sed 's/.*; \(truncate .*\) cuts them off/\1/')
  cmp $name.h5 x.h5
done
# Also for a name that a shell would part.
mkdir 'my files'
cp x.h5 'my files/twice 1.h5' && echo junk >>'my files/twice 1.h5'
tconv 'my files/twice 1.h5' --list 2>&1 | sed 's/.*; //; s/ [0-9][0-9]* / SIZE /'
