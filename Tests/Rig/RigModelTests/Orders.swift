/// The elements in every order.
func orders<Element>(of all: [Element]) -> [[Element]] {
    guard all.count > 1 else { return [all] }
    return all.indices.flatMap { index in
        var rest = all
        let first = rest.remove(at: index)
        return orders(of: rest).map { [first] + $0 }
    }
}
