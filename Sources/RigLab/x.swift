internal import GRDB
internal import Subprocess
