#!/bin/bash
# An HDF5 file cannot be opened if its writer was killed after a flush, once HDF5 has begun to write back what it keeps
# in memory. strace kills it at its 1000th write, at its 2000th and so on: no luck is needed. Needs h5py and strace.
folder=$(mktemp -d)
writer='import h5py, numpy, sys
with h5py.File(sys.argv[1], "w") as file:
    for n in range(100000):
        file.create_dataset(str(n), data=numpy.zeros(64, "u1"))
        if n == 63: file.flush()'
for ((kill = 1; kill <= 20; kill++)); do
    rm -f "$folder/store"; strace -f -qq -o /dev/null -P "$folder/store" -e inject=pwrite64:signal=KILL:when=${kill}000 \
        /usr/bin/python3 -c "$writer" "$folder/store"
    /usr/bin/python3 -c 'import h5py, sys; [file[n][0] for file in [h5py.File(sys.argv[1])] for n in file]' \
        "$folder/store" 2>"$folder/why" || { echo "after $kill kills:"; tail -1 "$folder/why"; break; }
done 2>/dev/null
rm -rf "$folder"; ((kill <= 20)) || { echo "not shown"; exit 1; }
