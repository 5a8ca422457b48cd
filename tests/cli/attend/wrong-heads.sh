# Heads that key-value heads do not divide.
. "$TESTDIR/qkv"
attend -q "$X:/q[:,:3]" -k "$X:/k" -v "$X:/v" 2>&1 | sed "s|$X|X|g" >&2
attend -q "$X:/q[:,:3]" -k "$X:/k" -v "$X:/v" 2>/dev/null
