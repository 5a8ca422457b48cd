# An output that leads to an open descriptor (/dev/fd/N, /dev/stdout, links to them) is written through it, as standard
# output is: what is in the file stays, its place goes on, no -f is needed, and the link is not replaced.
try() { "$@" 2>&1 || echo "exit code $?"; }
tconv 1x2=1,2 -o x.h5
tconv 1x2=3,4 -o w.h5
ln -s /proc/self/fd/1 stdout
ln -s stdout link

echo "# appended"
echo important >appended
tconv x.h5 -O csv -o /dev/fd/5 5>>appended
tconv x.h5 -O csv -o /dev/fd/5 -f 5>>appended
cat appended

echo "# between others"
(echo first >&5; tconv x.h5 -O csv -o /proc/self/fd/5 -f; tconv --list x.h5 -o /dev/fd/5; echo last >&5) 5>between
cat between

echo "# a stream of two"
{ tconv x.h5 -o stdout -f; tconv w.h5 -o link; } >stream.h5
cat x.h5 w.h5 | tdiff - stream.h5
tconv x.h5 -o link | tdiff - x.h5
test -L stdout
test -L link

echo "# a file without a name"
{ rm nameless; tconv x.h5 -O csv -o stdout -f >&3; cat /dev/fd/3; } 3<>nameless

echo "# refused"
try tconv x.h5 -A -o stdout
try tconv x.h5 -A -o /dev/fd/5 5>>appended
try tconv x.h5 -o /dev/fd/9
try softmax x.h5 -o /dev/fd/5 -n 5<x.h5
softmax x.h5 -o /dev/fd/5 -n 5>planned >plan
test ! -s planned
ls -A
