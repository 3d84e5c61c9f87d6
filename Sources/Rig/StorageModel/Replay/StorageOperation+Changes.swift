extension StorageOperation.Kind {
    /// The file whose content it changes; nil for none.
    var file: FileID? {
        switch self {
        case .openTruncate(let file), .write(let file, _, _), .truncate(let file, _),
            .allocate(let file, _, _, _), .punchHole(let file, _, _):
            file
        default: nil
        }
    }

    /// The file that it is about, whatever it does to it; nil for an operation on names alone.
    package var subject: FileID? {
        switch self {
        case .existing(_, let file, _), .create(_, let file), .link(let file, _),
            .syncFile(let file, _), .syncRange(let file, _, _), .mapped(let file, _),
            .closed(let file), .unrecorded(let file), .attributes(let file, _, _):
            file
        default: file
        }
    }

    /// The change that it makes to names; nil when none, or when the file has no name.
    var nameChange: NameChange? {
        switch self {
        case .existing(let path, let file, _), .create(let path, let file),
            .link(let file, let path):
            path.isEmpty ? nil : .add(path, .file(file))
        case .existingDirectory(let path), .makeDirectory(let path): .add(path, .folder)
        case .symbolicLink(let path, let target): .add(path, .symbolicLink(target: target))
        case .remove(let path), .removeDirectory(let path): .remove(path)
        case .rename(let source, let target): .rename(source, to: target)
        case .exchange(let first, let second): .exchange(first, second)
        default: nil
        }
    }

    /// The changes that it makes to a file's content.
    func fileChanges(
        length: (FileID) -> Int64?, ordinal: Int
    ) throws(CrashImageError) -> (FileID, [FileChange]) {
        func known(_ file: FileID) throws(CrashImageError) -> Int64 {
            guard let length = length(file) else { throw .unknownFile(file, ordinal: ordinal) }
            return length
        }
        switch self {
        case .openTruncate(let file):
            _ = try known(file)
            return (file, [.resize(0)])
        case .write(let file, let offset, let bytes):
            _ = try known(file)
            return (file, [.write(bytes, at: offset)])
        case .truncate(let file, let new):
            _ = try known(file)
            return (file, [.resize(new)])
        case .allocate(let file, let offset, let count, let keepsSize):
            let length = try known(file)
            let grows = !keepsSize && offset + count > length
            return (
                file,
                [.reserve(offset..<offset + count)] + (grows ? [.resize(offset + count)] : [])
            )
        case .attributes(let file, let attributes, _):
            _ = try known(file)
            return (file, [.attributes(attributes)])
        case .punchHole(let file, let offset, let count):
            let length = try known(file)
            let end = count > length - offset ? length : offset + count
            return (file, offset < end ? [.clear(offset..<end)] : [])
        default: return (FileID(0), [])
        }
    }
}
