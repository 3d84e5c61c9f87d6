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

    /// The changes that it makes to the content of its file, which has a length.
    func fileChanges(length: Int64) -> [FileChange] {
        switch self {
        case .openTruncate: return [.resize(0)]
        case .write(_, let offset, let bytes): return [.write(bytes, at: offset)]
        case .truncate(_, let new): return [.resize(new)]
        case .allocate(_, let offset, let count, let keepsSize):
            let grows = !keepsSize && offset + count > length
            return [.reserve(offset..<offset + count)] + (grows ? [.resize(offset + count)] : [])
        case .attributes(_, let attributes, _): return [.attributes(attributes)]
        case .punchHole(_, let offset, let count):
            let end = count > length - offset ? length : offset + count
            return offset < end ? [.clear(offset..<end)] : []
        default: return []
        }
    }
}
