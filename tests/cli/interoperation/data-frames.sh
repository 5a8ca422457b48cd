# Data frames of AnnData and of pandas: a table with categories as words, lists of columns, names in lists and errors.
. "$SUPPORT/try.sh"
cp "$FIXTURES/hdf5/anndata.h5ad" "$FIXTURES/hdf5/pandas-fixed.h5" .
try tconv anndata.h5ad:/obs -O csv --quiet
try tconv anndata.h5ad:/obs -o obs.tsv
try tconv anndata.h5ad:/obs --select '*/*_*' -O csv --quiet
try tconv anndata.h5ad:/obs --slab 1: -O csv --quiet
for list in cell_type,n_counts dose,n_counts 2-3 'n*' n_counts; do try tconv "anndata.h5ad:/obs/$list" -O csv --quiet; done
try tconv anndata.h5ad:/obs/dose,cell_type --no-history -o part.h5
try tconv --list part.h5
try tconv anndata.h5ad:/obs --no-history -o whole.h5
try tdiff whole.h5:/obs anndata.h5ad:/obs
try nwreg -x anndata.h5ad:/obs/dose,n_counts -y anndata.h5ad:/obs/cell_type --classify --bandwidth 9 --missing omit -O csv --quiet
try softmax anndata.h5ad:/obs/dose,n_counts -O csv --precision 3
try softmax anndata.h5ad:/obs/cell_type,n_counts -O csv
for name in obs/age obs/dose,age dose age; do try tconv "anndata.h5ad:/$name" -O csv; done
try tconv --list pandas-fixed.h5
try tconv --list --json pandas-fixed.h5:/df --select 'df'
try tconv pandas-fixed.h5:/df -O csv
for name in age df/age zz df/zz; do try tconv "pandas-fixed.h5:/$name" -O csv; done
cp "$FIXTURES/hdf5/pandas-disagree.h5" .
for name in twice absent more rows transposed more/a; do try tconv "pandas-disagree.h5:/$name" -O csv; done
