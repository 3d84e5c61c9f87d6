#!/usr/bin/python3
"""HDF5, a data set per block, flush() after each batch: store_hdf5.py URL DIR OUTPUT THRESHOLD DURABILITY"""
import h5py, numpy
import rig_store


class Store:
    def open(self, folder):
        self.file = h5py.File(folder + "/store.h5", "a")

    def put(self, position, data):
        name = "%020d" % position
        if name in self.file:
            del self.file[name]
        self.file.create_dataset(name, data=numpy.frombuffer(data, "u1"))

    def get(self, position):
        name = "%020d" % position
        return self.file[name][:].tobytes() if name in self.file else None

    def commit(self):
        self.file.flush()

    def close(self):
        self.file.close()


rig_store.run(Store())
