# Equal runs give equal bytes, whatever the name of the trace beside them.
transformer-run -m "$EXAMPLES/dates" --trace a.h5 -o one.h5 "3 mars"
transformer-run -m "$EXAMPLES/dates" --trace b.h5 -o two.h5 "3 mars"
transformer-run -m "$EXAMPLES/dates" -o three.h5 "3 mars"
cmp one.h5 two.h5
cmp one.h5 three.h5
