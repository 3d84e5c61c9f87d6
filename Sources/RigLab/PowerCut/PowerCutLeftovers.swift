#if canImport(Darwin)
    extension PowerCutLeftovers {
        /// Nothing: without power cuts nothing is left of them.
        package func remove() -> [String] { [] }
    }
#endif

/// What dead rigs have left of their power cuts: mounts, loop devices, image files.
///
/// Nothing is touched that a living rig owns, or that is not a rig's: the image's name has to say
/// so.
package struct PowerCutLeftovers: Sendable {
    /// Whose leftovers.
    enum Whose: Sendable {
        /// A run's, whether its rig is alive or not.
        case run(String)
        /// Any dead rig's; image files without a device are looked for in the run folders here.
        case dead(results: String)
    }

    let whose: Whose

    /// What the guardian of a run removes when the run's rig is gone.
    package static func ofRun(_ run: String) -> PowerCutLeftovers {
        PowerCutLeftovers(whose: .run(run))
    }

    /// What a new run removes.
    ///
    /// - Parameter results: the folder of run folders in which images without a device may lie.
    /// - Returns: the leftovers of all dead rigs.
    package static func ofDeadRigs(results: String) -> PowerCutLeftovers {
        PowerCutLeftovers(whose: .dead(results: results))
    }

    func includes(_ image: PowerCutImage) -> Bool {
        switch whose {
        case .run(let run): image.run == run
        #if os(Linux)
            case .dead: image.owner.isDead
        #else
            case .dead: false
        #endif
        }
    }
}
