internal import CVersion

package enum ProgramVersion {
    /// The version, and the commit that a program of a package was built from.
    package static var words: String {
        let commit = String(cString: version_commit())
        return commit.isEmpty ? RIG_VERSION : "\(RIG_VERSION) (\(commit))"
    }
}
