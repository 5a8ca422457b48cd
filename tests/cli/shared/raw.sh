# --raw: numbers as HDF5 stores them, in every tool that reads numbers; without it, what scale_factor and add_offset make
# of them (numbers of the CF conventions: 0.01 * stored + 273.15).
cp "$FIXTURES/hdf5/packed.h5" p.h5
while read -r command; do
  for way in '--raw 2x2=100,200,0,50' '-f 2x2=274.15,275.15,273.15,273.65'; do
    $command 'p.h5:/celsius[:,:2]' "${way% *}" --dtype f64 -O csv >from-file
    $command "${way#* }" -O csv | tdiff from-file - --rtol 1e-12 --atol 1e-12 || echo "$command ${way% *}"
  done
done <<COMMANDS
tconv
softmax
posenc
attend
COMMANDS
nwreg -x 2=1,2 -y 'p.h5:/celsius[0,:2]' --raw --bandwidth 1 -q 1=1.5 -O csv --no-header --precision 12
