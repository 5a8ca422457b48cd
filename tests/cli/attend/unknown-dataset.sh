# A dataset that is not there.
printf "1,2\n" >q.csv
attend -q q.csv -k "$FIXTURES/attention/attention.h5:/keys" -v 1
