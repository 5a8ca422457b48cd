# Kind and epsilon come from the config.json beside the weights, and options override them.
L=$FIXTURES/layers/layers.h5
mkdir model
tconv $L -o model/weights.h5
echo '{"rms_norm_eps": 0.25}' >model/config.json
addnorm --no-residual $L:/x -w model/weights.h5:/norm -o a.h5
addnorm --no-residual $L:/x -w $L:/norm --kind rms --eps 0.25 | tdiff - a.h5
addnorm --no-residual $L:/x -w model/weights.h5:/norm --kind layer --eps 1 -o b.h5
addnorm --no-residual $L:/x -w $L:/norm --eps 1 | tdiff - b.h5
addnorm --no-residual $L:/x -w $L:/norm -o c.h5
addnorm --no-residual $L:/x -w $L:/norm --eps 1e-5 | tdiff - c.h5
