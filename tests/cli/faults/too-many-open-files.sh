# Where a process may have no more open files, that is no input that is missing, but a want of room: 71.
tconv 2=1,2 -o x.h5
echo '{"model":{"type":"WordLevel","vocab":{"a":0},"unk_token":"a"}}' >tokenizer.json
echo a >lines
try() { (ulimit -n 4 && exec "$@") 2>&1 || echo "exit code $?"; }
try tconv x.h5 -o z.h5
try tokenize -m . lines -o z.h5
ls
