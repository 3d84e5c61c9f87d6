#!/bin/bash
# An HDF5 file cannot be opened if its writer was killed between two flushes. Needs h5py.
folder=$(mktemp -d)
writer='import h5py, numpy, sys
with h5py.File(sys.argv[1], "w") as file:
    for n in range(100000):
        file.create_dataset(str(n), data=numpy.zeros(4096, "u1"))
        if n % 64 == 63: file.flush(); print("flushed", flush=True)'
for ((kill = 1; kill <= 100; kill++)); do
    /usr/bin/python3 -c "$writer" "$folder/store" >"$folder/said" & until [ -s "$folder/said" ]; do :; done
    sleep "0.$((RANDOM % 10))$((RANDOM % 10))"; kill -9 $!; wait $! 2>/dev/null; : >"$folder/said"
    /usr/bin/python3 -c 'import h5py, sys; [file[n][0] for file in [h5py.File(sys.argv[1])] for n in file]' \
        "$folder/store" 2>"$folder/why" || { echo "after $kill kills:"; tail -1 "$folder/why"; break; }
done
rm -rf "$folder"
