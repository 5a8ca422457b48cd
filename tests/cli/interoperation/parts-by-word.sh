# Parts by coordinates that are words, characters, dates as text, and numbers that fall, are packed or in no order.
. "$SUPPORT/try.sh"
cp "$FIXTURES"/hdf5/stations.h5 s.h5
is() { tdiff "s.h5:/$1" "s.h5:/$2" || echo "$1 is not $2"; } # PART PART
is 'of_city[city=Bergen]' 'of_city[1]'
is 'of_city[city=a:b]' 'of_city[2]'
is 'of_city[city=Bergen:a:b]' 'of_city[1:3]'
is 'of_city[city=a:b:]' 'of_city[2:]'
is 'temp[name=Bergen]' 'temp[:,1]'
is 'temp[name=:Bergen,time=2024-01-01T06:2024-01-01T12]' 'temp[1:3,:2]'
is 'temp[height=13]' 'temp[:,2]'
for part in 50.2:30.4 30.4:50.2; do
  is "of_lat[lat=$part]" 'of_lat[98:297]'
  is "of_packed[packed=$part]" 'of_packed[98:297]'
done
is 'of_lat[lat=50.2]' 'of_lat[98]'
is 'of_day[day=2024-01]' 'of_day[:2]'
is 'of_day[day=2024-01-31:]' 'of_day[1:]'
is 'of_id[id=10]' 'of_id[1]'
# A copy takes the same part of the stored numbers.
tconv 's.h5:/of_packed[packed=50.2:30.4]' -o copy.h5
tdiff 's.h5:/of_packed[98:297]' copy.h5:/of_packed
tdiff --raw 's.h5:/packed[98:297]' copy.h5:/packed
for part in city=Bregen city=Paris city=Oslo lat=50.25 lat=north lat=70:65 time=soon time=2025 id=10:20 day=Monday length=3 town=Oslo; do
  case $part in
    city* | town*) of=of_city ;;
    lat*) of=of_lat ;;
    time*) of=temp ;;
    id*) of=of_id ;;
    day*) of=of_day ;;
    length*) of=name ;;
  esac
  try tconv "s.h5:/$of[$part]" -O csv
done
try tconv 's.h5:/tmep[time=2024-01-01]' -O csv
for part in 'of_lat[lat=50.2,lat=30.4]' 'of_city[city=]' 'temp[time=2024-01-01:2024-01-02:2]' 'of_lat[lat=0:60:2]'; do
  try tconv "s.h5:/$part" -O csv
done
# A name in brackets is a name.
tconv 2=1,2 --rename 'y=x[of=city]' -o m.h5
tdiff 'm.h5:/x[of=city]' 2=1,2
