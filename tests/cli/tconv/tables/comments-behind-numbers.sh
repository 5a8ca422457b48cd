# A comment behind the last number of a row; text is text, whatever is in it.
exec 2>&1
try() { # TEXT OPTION...
  printf '%s ' -- "$@" && echo
  printf "$1" >t.csv
  shift
  tconv t.csv -O csv "$@" || echo "exit code $?"
}
try '1,2 # a, "b\n3,4\n'
try '1 2 # a first row\n3 4\t# and another\n' --delim ' '
try '1 2 # a first row\n3 4\n'
try 'x,y\n1,NA # gone\n3,4 # kept\r\n' --missing nan
try 'x,y\n"3","4" # kept\n'
try 'x,y\n1,2\n3,4 #five\n'
try '1 #one\n2\n'
try '1.#INF\n2\n'
try 'x\ty\n1\t2\t# behind a tab\n' --delim '\t'
try 'x,y\n1,2 %% ok\n3,4 ! ok\n' --comment '%!'
try 'a;b\n1,5;2,5 # x\n' --delim ';'
echo "-- text"
try 'zip,street\n90210,12 #4\n90211,Main # 5\n'
try 'street,zip\n12 # 4,90210\n'
try 'x,y\n1 # short\n3,4\n'
echo "-- what helps"
try '1 2 #first row\n3 4\n' --delim ' '
try '1 2 #first row\n3 4\n' --delim ' ' --comment '#'
try '1 2\n3 4 #second row\n' --delim ' '
try '1\t2\t# first\n3\t4\n' --delim '\t'
try '1\t2\t# first\n3\t4\n' --delim '\t' --comment '#'
echo "-- several signs"
try '# a\n%% b\n1,2\n'
try '# a\n%% b\n1,2\n! c\n' --comment '#%'
try '# a\n%% b\n1,2\n! c\n' --comment '#%!'
try '@ a\n1,2\n&\n3,4\n' --comment @
try '// a\n1,2\n' --comment //
try '%% a\n' --comment '#%'
