# Tables of words and numbers of any kind come back, are chosen and are joined as Python's csv module has them.
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
python3 "$SUPPORT/random_tables.py" 60
