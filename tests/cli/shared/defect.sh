# A defect of ours is said in one line, and told by its exit code from all that a user can mend.
defective-tool
