# Only a softmax has a log-sum-exp.
attend --normalize hard --emit lse -q 1 -k 1 -v 1
