# A dry run says what would be read, written and computed.
cp "$FIXTURES/attention/attention.h5" x.h5
attend x.h5 --emit weights,topk=3 --dry-run -t 1 | sed 's/about [0-9]*/about N/'
