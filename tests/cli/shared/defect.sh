# A defect of ours is said in one line, and told by its exit code from all that a user can mend.
command -v defective-tool >/dev/null || { echo "defective-tool is not installed" >&2; exit 77; }
defective-tool
