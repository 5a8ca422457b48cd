# -o FILE:/name names the dataset; -o FILE holds the bytes that standard output would get.
. "$SUPPORT/stages.sh"
body() {
  rm -f a.h5 b.h5 c.h5
  stage_on x.h5 >a.h5
  stage_on x.h5 -o b.h5
  cmp a.h5 b.h5 || complain "-o gives other bytes than standard output"
  stage_on x.h5 -o c.h5:/some/name
  case $(tconv --list c.h5) in *some/name*) ;; *) complain "-o c.h5:/some/name does not name the dataset" ;; esac
  tdiff c.h5:/some/name a.h5 || complain "another name changes the values"
}
for_each_stage body
