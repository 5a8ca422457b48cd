# Pipes that whoever shares them has made non-blocking: tools wait for what comes, and for room. As dd leaves the flag:
input_is() { dd iflag=nonblock count=0 status=none; }
output_is() { dd oflag=nonblock count=0 status=none </dev/null; }
late() { sleep 0.1 && cat "$@"; }

tconv linspace=0,1,500000 -o x.h5
tconv x.h5 -o x.csv
{ late x.h5; } | { input_is; tdiff - x.h5; }
{ late x.csv; } | { input_is; tdiff - x.h5; }
(head -c 1000 x.h5 && sleep 0.1 && tail -c +1001 x.h5) | { input_is; tdiff - x.h5; }
(output_is && tconv x.h5) | late | tdiff - x.h5
(output_is && tconv x.h5 -O csv) | late | cmp - x.csv
(output_is && tconv linspace=0,1,500000) | late | tdiff - x.h5
mkfifo fifo
late fifo | tdiff - x.h5 &
(output_is && tconv x.h5 -o /dev/fd/1) >fifo
wait $!

echo '{"model":{"type":"WordLevel","vocab":{"a":0,"b":1},"unk_token":"a"}}' >tokenizer.json
(echo a && sleep 0.1 && printf b && sleep 0.1 && echo) | { input_is; tokenize -m .; }
yes 1 | head -n 100000 >ids
(output_is && tokenize -m . ids --decode) | late | uniq -c
