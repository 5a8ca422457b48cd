# Zeros behind the last member of a gzip file fill up a block, as gzip has it; anything else behind them is damage.
printf '1,2\n3,4\n' | gzip -n >a.csv.gz
printf '5,6\n' | gzip -n >>a.csv.gz
{ cat a.csv.gz && head -c 3000 /dev/zero; } >padded.csv.gz
tconv padded.csv.gz -O csv --no-header
tconv <padded.csv.gz -O csv --no-header | tail -n 1
{ cat padded.csv.gz && echo no; } >more.csv.gz
tconv more.csv.gz -O csv 2>&1 || echo $?
tconv --list a.csv.gz
