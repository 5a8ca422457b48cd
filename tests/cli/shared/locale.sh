# Numbers have a point in every locale, in text, options, literals and messages; and UTF-8 names stay as they are.
command -v localedef >/dev/null || { echo "localedef is not installed" >&2; exit 77; }
localedef -i de_DE -f UTF-8 "$PWD/de_DE.UTF-8" >/dev/null 2>&1 || true
[ -d de_DE.UTF-8 ] || { echo "the sources of the locale de_DE are not installed" >&2; exit 77; }
export LOCPATH="$PWD" LC_ALL=de_DE.UTF-8
[ "$(/usr/bin/printf '%.1f' 1,5 2>&1)" = 1,5 ] || { echo "the locale de_DE cannot be made" >&2; exit 77; }
printf 'größe,gewicht\n1.5,2.25\n0.1,0.001\n' >t.csv
tconv t.csv -o t.h5
tconv t.h5 -O csv | cmp - t.csv
tdiff t.csv:/größe 2x1=1.5,0.1
tdiff 1.5 1.25 --atol 0.25
tdiff 1.5 1.25 || true
. "$SUPPORT/stages.sh"
body() {
  stage_on x.h5 >german
  LC_ALL=C stage_on x.h5 >english
  cmp german english || complain "the locale changes the result"
}
for_each_stage body
