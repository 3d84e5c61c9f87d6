#if os(Linux)
    extension Guardian {
        /// Kills every process of a run, until two looks in a row find none.
        ///
        /// A second look is needed, because a worker that was being launched when the rig died
        /// shows its environment only once it runs its program.
        static func killEveryone(_ mark: RunMark) {
            var quietLooks = 0
            // A process that hangs in the kernel cannot die now: the guardian does not wait for it.
            for _ in 0..<500 where quietLooks < 2 {
                let found = RunProcesses.living(mark)
                for process in found { process.kill() }
                quietLooks = found.isEmpty ? quietLooks + 1 : 0
                Pause.seconds(0.02)
            }
        }
    }
#endif
