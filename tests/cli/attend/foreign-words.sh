# A word of another program that is neither a file nor an option: the error names what is given instead.
attend --score gaussian --bandwidth cv -q 5 -k 5 -v 5 || echo $?
attend --mask True -q 5 -k 5 -v 5 || echo $?
attend --causal= -q 5 -k 5 -v 5 || echo $?
attend --bandwidth= -q 5 -k 5 -v 5 || echo $?
