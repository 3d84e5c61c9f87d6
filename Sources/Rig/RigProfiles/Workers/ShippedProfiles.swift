/// The profiles of the folder `profiles`, one line per file.
///
/// The compiler embeds the files but cannot list them; a test compares this list with the folder.
enum ShippedProfiles {
    static let all: [(name: String, bytes: [UInt8])] = [
        ("downloader", PackageResources.downloader_yml),
        ("curl", PackageResources.curl_yml),
        ("curl-unbuffered", PackageResources.curl_unbuffered_yml),
        ("wget", PackageResources.wget_yml),
        ("aria2", PackageResources.aria2_yml),
        ("aria2-autosave-1s", PackageResources.aria2_autosave_1s_yml),
        ("aria2-x4", PackageResources.aria2_x4_yml),
        ("aria2-no-autosave", PackageResources.aria2_no_autosave_yml),
        ("yt-dlp", PackageResources.yt_dlp_yml),
        ("wget2", PackageResources.wget2_yml),
        ("lftp", PackageResources.lftp_yml),
        ("lftp-pget", PackageResources.lftp_pget_yml),
        ("axel", PackageResources.axel_yml),
        ("axel-save-1s", PackageResources.axel_save_1s_yml),
        ("gallery-dl", PackageResources.gallery_dl_yml),
        ("httrack", PackageResources.httrack_yml),
        ("apt-helper", PackageResources.apt_helper_yml),
        ("rclone", PackageResources.rclone_yml),
        ("parfive", PackageResources.parfive_yml),
        ("parfive-overwrite", PackageResources.parfive_overwrite_yml),
        ("pooch", PackageResources.pooch_yml),
        ("rsync", PackageResources.rsync_yml),
        ("rsync-inplace", PackageResources.rsync_inplace_yml),
        ("nginx-cache", PackageResources.nginx_cache_yml),
        ("nginx-slice", PackageResources.nginx_slice_yml),
        ("squid", PackageResources.squid_yml),
    ]
}
