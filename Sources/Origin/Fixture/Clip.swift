/// The real, playable clip that every fixture video begins with: `clip.mp4`.
///
/// It is 12 s of H.264 (Constrained Baseline, 128x72, 5 frames a second) and AAC, made from
/// ffmpeg's own test sources, so it holds no author's content. Its index precedes the media data,
/// with a `free` box between them that each video fills with its own bytes. Made by ffmpeg 5.1 with
///
///     ffmpeg -f lavfi -i testsrc=size=128x72:rate=5 \
///       -f lavfi -i 'aevalsrc=0.3*sin(2*PI*440*t)*lt(mod(t\,1)\,0.1):s=8000' -t 12 \
///       -c:v libx264 -profile:v baseline -preset veryslow -crf 38 -g 15 -pix_fmt yuv420p \
///       -threads 1 -bsf:v filter_units=remove_types=6 -c:a aac -b:a 4k \
///       -fflags +bitexact -flags:v +bitexact -flags:a +bitexact -moov_size 4064 clip.mp4
///
/// It is small because its bytes are the same in every video, so they cannot reveal a worker that
/// delivers another video.
enum Clip {
    static var bytes: [UInt8] { PackageResources.clip_mp4 }

    static let count = Int64(bytes.count)

    /// The payload of the `free` box between the index and the media data.
    static let gap = 3111..<4096
}
