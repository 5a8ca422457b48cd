# A word that is longer than any file's name is a mistake like a shorter one.
for format in KNN:%03d KNN:%0300d x%0300d; do
  # shellcheck disable=SC2059
  nwreg -x 2=1,2 -y 2=1,2 --bandwidth "$(printf "$format" 1)" 2>message || echo $?
  tr -s 0 <message
done
