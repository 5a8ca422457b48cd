# A signal while gnuplot draws ends both and leaves nothing; this gnuplot would take 20 s.
mkdir bin
cat >bin/gnuplot <<'END'
#!/bin/sh
trap 'echo ended >ended; exit' TERM
echo >began
for _ in $(seq 400); do sleep 0.05; done
END
chmod +x bin/gnuplot
PATH=$PWD/bin:$PATH
# Waits up to 10 s for a file.
await() {
  left=200
  until [ -e "$1" ] || [ $left -eq 0 ]; do left=$((left - 1)); sleep 0.05; done
  [ -e "$1" ] || echo "$1: not there"
}
echo "an old picture" >old.png
for signal in TERM HUP USR1; do
  # Not in the background, where a shell ignores signals from the keyboard; env, because under nohup HUP is ignored.
  { await began; kill -$signal "$(cat pid)"; } &
  sh -c 'echo $$ >pid; exec env --default-signal tplot 3xf64=1,3,2 -f -o old.png' 2>/dev/null && echo "no error" || echo $?
  wait
  await ended
  rm began ended pid
  ls -A
done
cat old.png
