"""Writes an image of one layer as an OCI image layout: harness/package calls it.

    oci.py LAYER.tar FOLDER --architecture amd64 --version VERSION --time SECONDS

The same layer, version and time give the same bytes.
"""
import argparse, datetime, gzip, hashlib, json, pathlib, shutil


class Digest:
    """A file that counts and hashes what is written through it."""

    def __init__(self, file=None):
        self.file, self.size, self.hash = file, 0, hashlib.sha256()

    def write(self, data):
        self.size += len(data)
        self.hash.update(data)
        return self.file.write(data) if self.file else len(data)

    def flush(self):
        pass

    @property
    def name(self):
        return "sha256:" + self.hash.hexdigest()


def descriptor(kind, digest, **more):
    return {"mediaType": f"application/vnd.oci.image.{kind}", "digest": digest.name, "size": digest.size, **more}


def main():
    parser = argparse.ArgumentParser()
    for name in ("layer", "folder"):
        parser.add_argument(name, type=pathlib.Path)
    for name in ("--architecture", "--version"):
        parser.add_argument(name, required=True)
    parser.add_argument("--time", type=int, required=True)
    given = parser.parse_args()
    blobs = given.folder / "blobs/sha256"
    blobs.mkdir(parents=True)

    def put(value):
        data = json.dumps(value, sort_keys=True, separators=(",", ":")).encode()
        digest = Digest()
        digest.write(data)
        (blobs / digest.hash.hexdigest()).write_bytes(data)
        return digest

    # The digest of the layer as it is unpacked, and of the file that holds it.
    plain = Digest()
    with open(blobs / "layer", "wb") as file:
        packed = Digest(file)
        with gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=6, mtime=0, filename="") as zipped, \
                open(given.layer, "rb") as layer:
            while data := layer.read(1 << 20):
                plain.write(data)
                zipped.write(data)
    shutil.move(blobs / "layer", blobs / packed.hash.hexdigest())

    made = datetime.datetime.fromtimestamp(given.time, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    config = put({
        "architecture": given.architecture, "os": "linux", "created": made,
        # Runs are written where rig is started.
        "config": {"Entrypoint": ["/usr/bin/rig"], "Cmd": ["--help"], "WorkingDir": "/runs",
                   "Env": ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8"]},
        "rootfs": {"type": "layers", "diff_ids": [plain.name]},
        "history": [{"created": made, "created_by": "harness/package --image"}],
    })
    manifest = put({
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": descriptor("config.v1+json", config),
        "layers": [descriptor("layer.v1.tar+gzip", packed)],
        "annotations": {"org.opencontainers.image.title": "rig", "org.opencontainers.image.version": given.version,
                        "org.opencontainers.image.licenses": "Apache-2.0"},
    })
    (given.folder / "oci-layout").write_text('{"imageLayoutVersion":"1.0.0"}')
    # podman and containerd call the image by its name, umoci and skopeo by its tag.
    tag = given.version.replace("~", "-")
    names = {"io.containerd.image.name": f"localhost/rig:{tag}", "org.opencontainers.image.ref.name": tag}
    (given.folder / "index.json").write_text(json.dumps({
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json",
        "manifests": [descriptor("manifest.v1+json", manifest,
                                 platform={"architecture": given.architecture, "os": "linux"},
                                 annotations=names)],
    }, sort_keys=True, separators=(",", ":")))


main()
