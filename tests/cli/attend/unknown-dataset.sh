# A dataset that is not there.
printf "1,2\n" >q.csv
printf "1
" >k.csv
tconv k.csv -o k.h5:/keys
attend -q q.csv -k k.h5:/key -v 1
