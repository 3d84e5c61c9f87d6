#!/usr/bin/python3
"""Fetches an address with a library of known.csv, as its manual says: fetch.py NAME URL DIR OUTPUT

Everything is kept in DIR. A library that keeps the file in a cache of its own, or under a name of its own, has it copied to
OUTPUT in the end, which appears there whole or not at all. What it does with what a kill has left is all its own.
"""
import importlib.util, os, shutil, sys, types


def deliver(source, output):
    if os.path.realpath(source) != os.path.realpath(output):
        shutil.copyfile(source, output + ".new")
        os.replace(output + ".new", output)


def stand_in(name, **content):
    """A module that the library imports and that this use of it does not need."""
    sys.modules[name] = types.ModuleType(name)
    vars(sys.modules[name]).update(content)


def cachecontrol(url, folder, output):
    import cachecontrol, requests
    from cachecontrol.caches import SeparateBodyFileCache
    from cachecontrol.heuristics import ExpiresAfter  # the rig's origin sends no Cache-Control
    session = cachecontrol.CacheControl(
        requests.Session(), cache=SeparateBodyFileCache(folder + "/cache"), heuristic=ExpiresAfter(days=1))
    answer = session.get(url)
    answer.raise_for_status()
    with open(output + ".new", "wb") as file:
        file.write(answer.content)
    os.replace(output + ".new", output)


def fsspec(url, folder, output):
    import fsspec
    with fsspec.open("simplecache::" + url, simplecache={"cache_storage": folder + "/cache"}) as file:
        deliver(file.name, output)


def wn(url, folder, output):
    os.environ["HOME"] = folder
    import wn
    wn.config.data_directory = folder
    deliver(wn.download(url, add=False, progress_handler=None), output)


def deeppavlov(url, folder, output):
    os.environ["HOME"] = folder
    import deeppavlov.core.data.utils as utils
    utils.download(folder + "/file", url, force_download=False)
    deliver(folder + "/file", output)


def conan(url, folder, output):
    # Only what the download itself needs: the package as a whole asks for libraries of its time.
    (where,) = importlib.util.find_spec("conans").submodule_search_locations
    for part in ("", ".client"):
        stand_in("conans" + part, __path__=[where + part.replace(".", "/")])
    stand_in("conans.client.rest", response_to_str=str)
    stand_in("conans.client.tools.files", check_md5=None, check_sha1=None, check_sha256=None)
    stand_in("conans.util.tracer", log_download=lambda *_: None)
    import requests
    from conans.client.downloaders.cached_file_downloader import CachedFileDownloader
    from conans.client.downloaders.file_downloader import FileDownloader
    os.makedirs(folder + "/cache/locks", exist_ok=True)
    plain = FileDownloader(requests.Session(), None, True, types.SimpleNamespace(retry=None, retry_wait=None))
    CachedFileDownloader(folder + "/cache", plain).download(url, folder + "/package", overwrite=True)
    deliver(folder + "/package", output)


def numerapi(url, folder, output):
    stand_in("pkg_resources", get_distribution=lambda name: types.SimpleNamespace(version="2.4.2"),
             DistributionNotFound=Exception)
    import numerapi

    class Api(numerapi.NumerAPI):
        def get_dataset_url(self, tournament=8):  # asks the service for it
            return url
    deliver(Api(show_progress_bars=False).download_current_dataset(folder, "set", unzip=False), output)


def coursera(url, folder, output):
    for name in ("bs4", "keyring", "html5lib"):  # to read the pages of the service
        stand_in(name, BeautifulSoup=None, __version__="4.1")
    import requests
    from coursera import coursera_dl, downloaders
    coursera_dl.download_lectures(
        downloaders.NativeDownloader(requests.Session()), "course", [("week", [("lecture", {"mp4": [(url, "")]})])],
        "mp4", path=folder)
    found = [os.path.join(where, name) for where, _, names in os.walk(folder + "/course") for name in names]
    deliver(found[0], output)


def parfive(url, folder, output):
    import parfive
    downloader = parfive.Downloader(progress=False, overwrite=False)
    downloader.enqueue_file(url, path=folder, filename="file")
    results = downloader.download()
    if results.errors:
        sys.exit(str(results.errors))
    deliver(results[0], output)


def tuf(url, folder, output):
    os.chdir(folder)  # where it begins a log
    import requests, tuf.util
    # As the updater does with what it has fetched: a temporary file that is moved to its place.
    temporary = tuf.util.TempFile()
    answer = requests.get(url, stream=True)
    answer.raise_for_status()
    for piece in answer.iter_content(1 << 16):
        temporary.write(piece)
    if not os.path.exists(folder + "/target"):
        temporary.move(folder + "/target")
    deliver(folder + "/target", output)


name, url, folder, output = sys.argv[1:]
globals()[name.split("-")[0]](url, folder, output)
