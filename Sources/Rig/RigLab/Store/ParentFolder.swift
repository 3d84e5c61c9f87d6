internal import SystemPackage

extension String {
    /// The path of the folder that a path lies in; empty for a relative path of one name.
    ///
    /// Foundation's `deletingLastPathComponent` crashes on Linux where a whole path is one
    /// character, such as `--out q`.
    package var parentFolder: String { FilePath(self).removingLastComponent().string }
}
