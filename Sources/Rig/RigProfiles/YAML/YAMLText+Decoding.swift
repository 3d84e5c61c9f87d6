internal import RigModel
internal import Yams

extension YAMLText {
    /// A node of the file as a value; exit code 64 with the position where it is none.
    func decode<Value: Decodable>(
        _ type: Value.Type, from root: Node, knowing knowledge: [String: Any] = [:]
    ) throws(RigError) -> Value {
        var userInfo: [CodingUserInfoKey: Any] = [:]
        for (name, value) in knowledge {
            if let key = CodingUserInfoKey(rawValue: name) { userInfo[key] = value }
        }
        do {
            return try YAMLDecoder().decode(type, from: root, userInfo: userInfo)
        } catch let error as DecodingError {
            throw wrong(error, in: root)
        } catch {
            throw wrong(.start, "\(error); mend the file")
        }
    }

    private func wrong(_ error: DecodingError, in root: Node) -> RigError {
        let (path, what): ([any CodingKey], String?) =
            switch error {
            case .keyNotFound(let key, let context):
                (context.codingPath, "'\(key.stringValue)' is missing; write it")
            case .typeMismatch(_, let context), .valueNotFound(_, let context):
                (context.codingPath, nil)
            // Of a word that is none of several, Swift says the name of a type.
            case .dataCorrupted(let context):
                (
                    context.codingPath,
                    context.debugDescription.hasPrefix("Cannot initialize")
                        ? nil : context.debugDescription
                )
            @unknown default: ([], "\(error); mend the file")
            }
        let found = node(
            at: path.map { key in key.intValue.map { "\($0)" } ?? key.stringValue }, in: root)
        let meant = found.scalar.map { "'\($0.string)'" } ?? "what stands here"
        return wrong(place(found), what ?? "\(meant) cannot be meant; write another")
    }

    /// The node at a path of keys and indices; the last one on it that there is.
    func node(at path: [String], in root: Node) -> Node {
        var node = root
        for step in path {
            let items = node.sequence.map { Array($0) } ?? []
            let item = Int(step).flatMap { items.indices.contains($0) ? items[$0] : nil }
            guard let next = item ?? node.mapping?[step] else { break }
            node = next
        }
        return node
    }
}
