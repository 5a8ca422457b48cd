# What is wrong is named with its line or element.
. "$SUPPORT/try.sh"
ln -s "$EXAMPLES/dates" .

# A bad line ends the run, with what came before it done.
printf '3 mars 2021\n\377\n1 mei 1999\n' | try transformer-run -m dates
# With --on-error skip bad lines, and too long ones with --max-length 0, have a note each and an empty line.
printf '3 mars 2021\n\377\n%080d\n1 mei 1999\n' 0 | try transformer-run -m dates --on-error skip --max-length 0

# Ids beyond the table.
try transformer-run -m dates --ids 1x2xi64=12,51 -o c.h5
