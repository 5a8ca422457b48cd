# --json is for scripts: one object, also when nothing differs.
tdiff 1 1 --json
tdiff 2=1,2 2=1,nan --json
