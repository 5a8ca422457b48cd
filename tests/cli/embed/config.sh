# scale_embedding in the config.json beside the table means the square root of the width.
L=$FIXTURES/layers/layers.h5
mkdir model
tconv $L -o model/weights.h5
echo '{"scale_embedding": true}' >model/config.json
embed $L:/ids -w model/weights.h5:/table -o a.h5
embed $L:/ids -w $L:/table --scale 2.8284271247461903 | tdiff - a.h5
embed $L:/ids -w model/weights.h5:/table --scale 1 -o b.h5
embed $L:/ids -w $L:/table | tdiff - b.h5
