# A word where an option takes a number.
tdiff 1 1 --rtol small
