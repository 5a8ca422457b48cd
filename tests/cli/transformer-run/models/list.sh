# What the model consists of, without computing: every parameter once.
transformer-run -m "$EXAMPLES/dates" --list | sed -n '1,4p;/^total/,$p'
