# A file whose sizes have fewer bytes than its addresses, with names and strings in heaps; strings through n-bit; 10-byte
# floats that are no numbers or very small, as a processor converts them; and a float that only looks like an f32.
cp "$FIXTURES/hdf5/widths.h5" .
tconv --list widths.h5
tconv widths.h5:/group/three widths.h5:/group/two --concat 0 -O csv --no-header
tconv widths.h5:/words -O csv --no-header
tconv widths.h5:/n-bit -O csv --no-header
tconv widths.h5:/ten-bytes -O csv --no-header
tconv widths.h5:/small -O csv --no-header
tconv widths.h5:/no-leading-bit -O csv || echo "exit code $?"
