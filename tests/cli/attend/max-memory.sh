# Keys and values that exceed --max-memory are read in blocks, and give the same bits.
tconv linspace=0,100,3000000 -o keys.h5
attend --score gaussian --bandwidth 0.5 -q linspace=0,100,7 -k keys.h5 -v keys.h5 --emit lse --no-history -o whole.h5
attend --score gaussian --bandwidth 0.5 -q linspace=0,100,7 -k keys.h5 -v keys.h5 --emit lse --no-history --max-memory 30M -t 1 --verbose -o blocks.h5 2>messages
cmp whole.h5 blocks.h5
grep -c 'keys and values are read [0-9]* at a time' messages
