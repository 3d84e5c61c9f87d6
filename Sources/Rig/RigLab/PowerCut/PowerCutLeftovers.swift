#if canImport(Darwin)
    extension PowerCutLeftovers {
        /// Does nothing: without power cuts there are no leftovers.
        package func remove() -> [String] { [] }
    }
#endif

/// What dead rigs have left of their power cuts: mounts, loop devices, image files.
///
/// Nothing is touched that a living rig owns, or whose image is not named like a rig's.
package struct PowerCutLeftovers: Sendable {
    /// Which leftovers are meant.
    enum Whose: Sendable {
        /// Those of a run, whether its rig is alive or not.
        case run(String)
        /// Those of all dead rigs; the run folders here are searched for images without a device.
        case dead(results: String)
    }

    let whose: Whose

    /// What a run's guardian removes once the run's rig is gone.
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
