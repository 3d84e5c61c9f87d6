import Foundation
import Testing
import TestSupport
import Witness

/// A step of a program that writes a page, in any language.
enum PageStep: CustomStringConvertible {
    case enter(WitnessPhase)
    case begin(UInt64)
    case received(Int, Int)
    case acknowledge(Int, UInt64)
    case end(Int)
    case commit
    case evict(UInt64, UInt64)
    case finish
    case tell
    /// Four threads, each with this many requests that begin, receive a byte and end, and commits.
    case threads(Int)

    var description: String {
        switch self {
        case .enter(let phase): "enter:\(phase.rawValue)"
        case .begin(let start): "begin:\(start)"
        case .received(let request, let count): "received:\(request):\(count)"
        case .acknowledge(let request, let count): "acknowledge:\(request):\(count)"
        case .end(let request): "end:\(request)"
        case .commit: "commit"
        case .evict(let start, let length): "evict:\(start):\(length)"
        case .finish: "finish"
        case .tell: "tell"
        case .threads(let count): "threads:\(count)"
        }
    }
}

/// The page's writers: that of Swift, and those in other languages, of `harness/witness`.
enum PageWriter: String, CaseIterable, CustomTestStringConvertible {
    case swift, c, python

    static let foreign: [Self] = [.c, .python]
    static let folder = Checkout.path("harness/witness")

    var testDescription: String { rawValue }

    func command(in folder: URL) throws -> [String] {
        switch self {
        case .swift: return [BuiltPrograms.path("PhaseWalker")]
        case .c:
            let source = folder.appendingPathComponent("steps.c")
            try Self.cSource.write(to: source, atomically: true, encoding: .utf8)
            let program = folder.appendingPathComponent("steps").path
            let (status, words) = try Tool.run([
                "cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-I", Self.folder,
                source.path, "-o", program, "-pthread",
            ])
            try #require(status == 0, "\(words)")
            return [program]
        case .python:
            let source = folder.appendingPathComponent("steps.py")
            try Self.pythonSource.write(to: source, atomically: true, encoding: .utf8)
            return ["python3", source.path]
        }
    }

    static func environment(page: String?) -> [String: String] {
        var variables = ProcessInfo.processInfo.environment
        variables["RIG_WITNESS"] = page
        variables["PYTHONPATH"] = folder
        // The modules lie in the repository, where tests may leave no files.
        variables["PYTHONDONTWRITEBYTECODE"] = "1"
        return variables
    }

    private static let cSource = """
        #include "rig_witness.h"
        #include <pthread.h>
        #include <stdio.h>
        #include <string.h>

        static rig_witness witness;
        static rig_witness_request requests[4096];
        static char url[64];

        static const char *url_of(unsigned long start) {
            snprintf(url, sizeof url, "http://127.0.0.1/v?%lu", start);
            return url;
        }

        static void *work(void *argument) {
            unsigned long count = *(unsigned long *)argument;
            while (count-- > 0) {
                rig_witness_request request;
                rig_witness_begin(&witness, &request, "u", count);
                rig_witness_received(&request, 1);
                rig_witness_commit(&witness);
                rig_witness_end(&request);
            }
            return NULL;
        }

        int main(int count, char **words) {
            int index, begun = 0;
            rig_witness_open(&witness);
            for (index = 1; index < count; index++) {
                char verb[16];
                unsigned long first = 0, second = 0;
                sscanf(words[index], "%15[a-z]:%lu:%lu", verb, &first, &second);
                if (!strcmp(verb, "enter")) {
                    rig_witness_enter(&witness, (enum rig_witness_phase)first);
                } else if (!strcmp(verb, "begin")) {
                    rig_witness_begin(&witness, &requests[begun++], url_of(first), first);
                } else if (!strcmp(verb, "received")) {
                    rig_witness_received(&requests[first], second);
                } else if (!strcmp(verb, "acknowledge")) {
                    rig_witness_acknowledge(&requests[first], second);
                } else if (!strcmp(verb, "end")) {
                    rig_witness_end(&requests[first]);
                } else if (!strcmp(verb, "commit")) {
                    rig_witness_commit(&witness);
                } else if (!strcmp(verb, "evict")) {
                    rig_witness_evict(&witness, url_of(first), first, second);
                } else if (!strcmp(verb, "finish")) {
                    rig_witness_finish(&witness);
                } else if (!strcmp(verb, "tell")) {
                    if (write(1, "", 1) != 1) return 1;
                } else if (!strcmp(verb, "threads")) {
                    pthread_t threads[4];
                    int number;
                    for (number = 0; number < 4; number++) {
                        pthread_create(&threads[number], NULL, work, &first);
                    }
                    for (number = 0; number < 4; number++) pthread_join(threads[number], NULL);
                } else {
                    return 64;
                }
            }
            return 0;
        }
        """

    private static let pythonSource = """
        import os, sys, threading
        from rig_witness import PHASES, Request, Witness

        witness, requests = Witness(), []

        def work(count):
            for start in range(count):
                request = Request(witness, "u", start)
                request.received(1)
                witness.commit()
                request.end()

        for word in sys.argv[1:]:
            verb, *numbers = word.split(":")
            first, second = ([int(number) for number in numbers] + [0, 0])[:2]
            if verb == "enter": witness.enter(PHASES[first])
            elif verb == "begin":
                requests.append(Request(witness, f"http://127.0.0.1/v?{first}", first))
            elif verb == "received": requests[first].received(second)
            elif verb == "acknowledge": requests[first].acknowledge(second)
            elif verb == "end": requests[first].end()
            elif verb == "commit": witness.commit()
            elif verb == "evict":
                witness.evict(f"http://127.0.0.1/v?{first}", first, second)
            elif verb == "finish": witness.finish()
            elif verb == "tell": os.write(1, b"x")
            elif verb == "threads":
                threads = [threading.Thread(target=work, args=(first,)) for _ in range(4)]
                for thread in threads: thread.start()
                for thread in threads: thread.join()
            else: sys.exit(64)
        """
}
