/// The profiles of `harness/workers`, a line for each file.
///
/// The compiler embeds the files, but cannot list them; a test holds this list to the folder.
enum ShippedProfiles {
    /// The profiles' names and texts, in the order in which they are listed.
    static let all: [(name: String, bytes: [UInt8])] = [
        ("downloader", PackageResources.downloader_yml),
        ("curl", PackageResources.curl_yml),
        ("curl-unbuffered", PackageResources.curl_unbuffered_yml),
        ("wget", PackageResources.wget_yml),
    ]
}
