# Three numbers are three queries of width 1: the message is about them, not about the keys.
attend -q 3xf32=1,2,3 -k 2x3=1,2,3,4,5,6 -v 2=1,2
