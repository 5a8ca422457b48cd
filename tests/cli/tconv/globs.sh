# Patterns are those of fnmatch(3); a name that is spelled out is itself.
tconv 1=1 --no-history -o g.h5:/q0
for name in q1 q2 k0 layer/q 'w[0][]' w0; do tconv 1=1 --no-history -A -o g.h5:/"$name"; done
for pattern in 'q[01]' 'q[!0]' '[k-q][0-9]' '*q' 'w[0]' 'w\[0\]' '[[:alpha:]]0' '?0'; do
  echo "$pattern: $(tconv --list g.h5 --select "$pattern" | sed 's/ .*//' | tr '\n' ' ')"
done
