"""Downloads one file with hf_hub_download of huggingface_hub, from a server that is no Hub: URL FILE.

Two things that only a Hub has are replaced: the address of a file, and the header with its commit.
A Hub has another commit when the file is another, so it is made from the ETag. Everything else is
the library's own, up to the lock and the name of the partial file.
"""
import dataclasses, hashlib, os, sys

url, path = sys.argv[1:]
folder, name = os.path.split(path)
os.environ.update(HF_HOME=folder + "/home", HF_HUB_DISABLE_TELEMETRY="1", HF_HUB_DISABLE_PROGRESS_BARS="1")

from huggingface_hub import file_download

ask = file_download.get_hf_file_metadata


def metadata(*given, **named):
    answer = ask(*given, **named)
    return dataclasses.replace(answer, commit_hash=hashlib.sha1(answer.etag.encode()).hexdigest())


file_download.hf_hub_url = lambda *given, **named: url
file_download.get_hf_file_metadata = metadata
file_download.hf_hub_download("any/any", name, local_dir=folder)
