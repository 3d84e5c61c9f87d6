/// What a failure of an audit shows: who found it, and what the file is like.
package struct AuditSign: Sendable, Hashable {
    /// What a file is like that a program calls completed.
    package enum File: Sendable, Hashable, CaseIterable {
        case joined
        /// It is a part of the version before, and nothing else.
        case oldPart
        /// The whole is there, and more behind it.
        case tooLong
        /// It is right as far as it goes.
        case tooShort
        case empty, missing
        /// It has wrong bytes, and goes on past its end.
        case wrongAndLong
        case wrong
    }

    package let checker: Checker
    package let file: File?

    package init(_ checker: Checker, _ file: File? = nil) {
        (self.checker, self.file) = (checker, file)
    }

    /// The ``rank`` of what is not one of the others.
    package static let usualRank = 1

    /// How much worse than others it is, the worst first: a wrong file that is called right, what
    /// else is wrong, a crash or a hang, an error that is told, and a process that is left.
    package var rank: Int {
        if file != nil { return 0 }
        return switch checker {
        case .crash, .hang: 2
        case .exit, .completion: 3
        case .leftover: 4
        default: Self.usualRank
        }
    }
}

/// What programs usually do wrong that fail so; all that is explained is in ``all``.
package struct AuditMistake: Sendable, Hashable {
    /// The names of the situations; nil for all.
    package let situations: Set<String>?
    /// The checkers; nil for all.
    let checkers: Set<Checker>?
    /// What the file is like; nil for whatever it is, and for none.
    let files: Set<AuditSign.File>?
    package let words: String

    private init(
        in situations: Set<String>? = nil, by checkers: Set<Checker>? = nil,
        file files: Set<AuditSign.File>? = nil, _ words: String
    ) {
        (self.situations, self.checkers, self.files) = (situations, checkers, files)
        self.words = words
    }

    /// What is usually wrong with a program that shows this sign in a situation, nil for one
    /// without effect; nil where nothing fits: a wrong explanation is worse than none.
    package static func words(for sign: AuditSign, in situation: String?) -> String? {
        all.first { $0.fits(sign, in: situation) }?.words
    }

    private func fits(_ sign: AuditSign, in situation: String?) -> Bool {
        if let checkers, !checkers.contains(sign.checker) { return false }
        if let situations {
            guard let situation, situations.contains(situation) else { return false }
        }
        if let files { guard let file = sign.file, files.contains(file) else { return false } }
        return true
    }

    private static let wrong: Set<AuditSign.File> = [.wrong, .wrongAndLong]
    private static let half: Set<AuditSign.File> = [.tooShort, .empty, .missing]
    /// All of one version that are not right.
    private static let spoilt = wrong.union(half)

    package static let all: [AuditMistake] = [
        AuditMistake(
            by: [.leftover],
            "A process that it started goes on when it is killed, and may still write when it is "
                + "started again."),
        AuditMistake(
            in: ["changed", "longer", "shortened"], by: [.stitched], file: [.joined],
            "It joins two versions: it asks for the rest without If-Range, or appends an answer "
                + "that is the whole."),
        AuditMistake(
            in: ["shortened"], by: [.stitched], file: [.oldPart],
            "It takes 416, or a length that it has already, for the end of its work."),
        AuditMistake(
            in: ["other"], by: [.stitched],
            "What it keeps of a file does not say of which address that is."),
        AuditMistake(
            in: ["twice"], file: wrong.union([.tooLong, .tooShort]),
            "It has no lock, and two processes write one file."),
        AuditMistake(
            file: [.tooLong],
            "It starts again with a file that is whole already, and appends to it."),
        AuditMistake(
            in: ["ignored-range", "ignored-if-range"], file: [.wrongAndLong],
            "It appends a 200 to what is there; only a 206 is the rest."),
        AuditMistake(
            in: ["earlier"], file: wrong,
            "It does not look in Content-Range where an answer begins."),
        AuditMistake(
            in: ["cut"], file: [.tooShort],
            "It does not compare what came with Content-Length, and calls a part done."),
        AuditMistake(
            in: ["unavailable"], file: [.tooShort],
            "It takes an error of the server for the end of its work, and calls a part done."),
        AuditMistake(
            in: ["unavailable"], file: [.missing],
            "It takes an error of the server for the end of its work, and has no file."),
        AuditMistake(
            in: ["unavailable"], file: [.empty],
            "It saves the answer of an error, which is empty here, as the file."),
        AuditMistake(
            in: ["refused-range"], file: [.tooShort],
            "It takes 416 for the end of its work, without a look at the length in "
                + "Content-Range."),
        AuditMistake(
            in: ["no-total"], by: [.completion, .exit, .crash],
            "It takes the total from Content-Range although that may be '*'."),
        AuditMistake(
            in: ["full-disk"], by: [.falseSuccess], file: spoilt,
            "It does not look at how its writes end, and calls the half of its file done."),
        AuditMistake(
            in: ["io-error"], by: [.falseSuccess], file: spoilt,
            "It does not look at how its calls end, and calls its work done."),
        AuditMistake(
            in: ["rename-error"], by: [.falseSuccess], file: [.missing],
            "It does not look at how its rename ends, and its file has not its name."),
        AuditMistake(
            in: ["sync-error"], by: [.falseSuccess, .completion, .hang],
            "What it does about a sync that fails damages its file, or never ends."),
        AuditMistake(
            in: ["power-cut", "real-power-cut"], by: [.completion, .durability, .integrity],
            file: spoilt, "It notes as done what it has not synced (fsync) before."),
        AuditMistake(
            in: ["again"], by: [.exit, .crash, .hang],
            "It does not recognise its own finished work."),
        AuditMistake(
            in: ["chain"], file: spoilt, "Its work, or its recovery, is not safe against a kill."),
        AuditMistake(
            in: ["anywhere", "calls", "end"], by: [.completion], file: wrong,
            "It notes as done what is not on the disk, or goes on at a place that its file does "
                + "not have."),
        AuditMistake(
            in: ["calls", "end"], by: [.completion], file: half,
            "It joins, renames or removes files in steps, and takes the half of it for the whole "
                + "after a kill."),
        AuditMistake(file: [.tooShort], "It calls a part of its file done."),
    ]
}
