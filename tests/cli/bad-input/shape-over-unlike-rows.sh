# Where rows have other cells than the header, that is what is wrong, not the line of the shape above them.
printf '# shape=2,2,2 dtype=f32\ny\n1,2\n3,4\n5,6\n7,8\n' | tconv
