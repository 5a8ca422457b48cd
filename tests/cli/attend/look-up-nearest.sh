# --nearest takes the key with the smallest edit distance.
attend --normalize hard --nearest -k "$EXAMPLES/names.csv:/last" -v "$EXAMPLES/names.csv:/first" -q str=Smyth,Satou
