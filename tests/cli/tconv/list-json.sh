# --list --json is for scripts.
tconv 2xf32=1,nan --no-history -o a.h5
tconv --list --json --values a.h5
