import RigModel
import Testing

@testable import SyscallTracer

/// What was read of the memory of real interpreters, while they slept.
///
/// They ran this with `-c`:
///
/// ```python
/// import os, time
///
/// def mēmo():
///     print(os.getpid(), flush=True)
///     return [
///         time.sleep(60)
///     ]
///
/// mēmo()
/// ```
struct RecordedPython: Sendable, CustomTestStringConvertible {
    /// The lines of that thread.
    static let places: [StackPlace] = [
        .line(file: "<string>", line: 6, function: "mēmo"),
        .line(file: "<string>", line: 9, function: "<module>"),
    ]

    let testDescription: String
    var thread: UInt64
    /// The addresses of ``PythonStack/symbols``.
    let symbols: [UInt64]
    /// The bytes by their addresses.
    var bytes: [UInt64: UInt8] = [:]

    /// From the words at the beginning of `_PyRuntime`, where they were read, and runs of bytes in
    /// hexadecimal, the first part of each after its address.
    private init(
        _ version: String, thread: UInt64, symbols: [UInt64], offsets: [UInt64] = [],
        _ memory: String
    ) {
        (testDescription, self.thread, self.symbols) = (version, thread, symbols)
        for (index, word) in offsets.enumerated() {
            store(word, at: symbols[0] + 8 * UInt64(index))
        }
        var address: UInt64 = 0
        for part in memory.split(whereSeparator: \.isWhitespace) {
            let fields = part.split(separator: ":")
            if fields.count == 2 { address = UInt64(fields[0], radix: 16) ?? 0 }
            for byte in Self.bytes(fields.last ?? "") {
                bytes[address] = byte
                address += 1
            }
        }
    }

    /// Bytes in hexadecimal.
    static func bytes(_ text: some StringProtocol) -> [UInt8] {
        let digits = text.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map {
            UInt8(16 * digits[$0] + digits[$0 + 1])
        }
    }

    mutating func store(_ number: UInt64, at address: UInt64) {
        for index in UInt64(0)..<8 {
            bytes[address + index] = UInt8(truncatingIfNeeded: number >> (8 * index))
        }
    }

    /// The lines that are read from it; nil for none.
    func read() -> [StackPlace]? {
        let recorded = bytes
        let memory = TraceeMemory { address, count in
            var found: [UInt8] = []
            while found.count < count, let byte = recorded[address &+ UInt64(found.count)] {
                found.append(byte)
            }
            return found
        }
        let symbols = Dictionary(uniqueKeysWithValues: zip(PythonStack.symbols, self.symbols))
        return try? PythonStack(symbols: symbols, in: memory).places(ofThread: thread)
    }

    static let all = [v311, v312, v313]

    static let v311 = RecordedPython(
        "3.11.2", thread: 22352, symbols: [0xa5b740, 0x8cc3e8, 0x959440, 0x958980, 0x958b20],
        """
        8cc3e8:f0020b0300000000 a5b768:789da60000000000 a60bd8:80899500000000000800000000000000
        a60bf0:e4000000 a60c00:3c6d6f64756c653e a60c58:80899500000000000800000000000000
        a60c70:e4000000 a60c80:3c737472696e673e a69d88:f840a80000000000 a84130:502dd829fd7f0000
        a84198:5057000000000000 7fa5e3d61f58:80899500000000000400000000000000 7fa5e3d61f70:a968dee3
        7fa5e3d61f98:6d0013016d006f00 7fa5e3d62018:208b9500000000003000000000000000
        7fa5e3d62030:8000dd04098d228c29892b8c2b9854d00422d10422d40422d00422e5080c8c0a
        9032890e8c0ef003020c06f000020506 7fa5e3d62078:208b9500000000003600000000000000
        7fa5e3d62090:f003010101d8000f800f800f800f800f800f800f800ff004040106f000040106
        f000040106f00c000106800581078407800780078007 7fa5e3d90998:40949500000000001800000000000000
        7fa5e3d909d8:01000000 7fa5e3d90a00:500ca60000000000
        7fa5e3d90a10:d00ba600000000007020d6e3a57f0000 7fa5e3db44f8:40949500000000003800000000000000
        7fa5e3db4538:03000000 7fa5e3db4560:500ca60000000000
        7fa5e3db4570:501fd6e3a57f00001020d6e3a57f0000 7fa5e4175040:9009d9e3a57f0000
        7fa5e4175050:0000000000000000700ad9e3a57f0000 7fa5e4175065:00 7fa5e4175098:f044dbe3a57f0000
        7fa5e41750a8:205017e4a57f00000a46dbe3a57f0000 7fa5e41750bd:00 7ffd29d82d58:785017e4a57f0000
        """)

    static let v312 = RecordedPython(
        "3.12.1", thread: 22401,
        symbols: [0x7f272dc43340, 0x7f272d9d30f0, 0x7f272db49e80, 0x7f272db63c20, 0x7f272db48840],
        """
        7f272d364a88:809eb42d277f00001400000000000000 7f272d364ac4:01000000
        7f272d364af0:a091c42d277f0000 7f272d364b00:3091c42d277f0000f0aa412d277f0000
        7f272d3ec4f8:809eb42d277f00003600000000000000 7f272d3ec534:03000000
        7f272d3ec560:a091c42d277f0000 7f272d3ec570:a0a6402d277f000090bb402d277f0000
        7f272d40a6a8:203cb62d277f00000400000000000000 7f272d40a6c0:2ad4b52d
        7f272d40a6d8:6d0013016d006f00 7f272d40bb98:4088b42d277f00002700000000000000
        7f272d40bbb0:8000dc04098c228f2989298b2b9854d50422e4080c8f0a890a90328b0ef00302 0c06f000020506
        7f272d41aaf8:4088b42d277f00001400000000000000
        7f272d41ab10:f003010101df000ff204040106f10c0001068507 7f272d9d30f0:f0010c0300000000
        7f272dc43368:a85dc52d277f0000 7f272dc49138:203cb62d277f00000800000000000000
        7f272dc49150:e4000000 7f272dc49158:3c6d6f64756c653e
        7f272dc491a8:203cb62d277f00000800000000000000 7f272dc491c0:e4000000
        7f272dc491c8:3c737472696e673e 7f272dc55df0:c836cb2d277f0000 7f272dcb3700:40abb32cfe7f0000
        7f272dcb3758:8157000000000000 7f272de16020:804a362d277f0000b0abb32cfe7f0000
        7f272de16058:624b362d277f0000 7f272de16066:00 7f272de16078:f0c43e2d277f00002060e12d277f0000
        7f272de160b0:10c63e2d277f0000 7f272de160be:00 7ffe2cb3ab40:7860e12d277f0000
        7ffe2cb3abb8:0000000000000000 7ffe2cb3abf6:03
        """)

    static let v313 = RecordedPython(
        "3.13.0", thread: 22439,
        symbols: [0x7fbf8a3294c0, 0x7fbf8a1937b0, 0x7fbf8a2f0bc0, 0x7fbf8a30c5e0, 0x7fbf8a2ef580],
        offsets: [
            0x7970677562656478, 0x30d00f0, 0, 283320, 608, 632, 194968, 7272, 7264, 7344, 7400,
            7656, 7640, 7648, 16, 7752, 0, 7768, 7760, 304, 0, 8, 16, 72, 152, 160, 232, 32, 80, 8,
            0, 56, 72, 70, 208, 112, 120, 128, 136, 68, 52, 96, 104, 200, 16, 8, 416, 24, 88, 168,
            32, 24, 16, 40, 24, 16, 48, 32, 40, 24, 16, 32, 16, 24, 40, 16, 32, 64, 32, 16, 40,
        ],
        """
        7fbf899c6a18:e0c5308abf7f00000400000000000000 7fbf899c6a30:2a47308a
        7fbf899c6a48:6d0013016d006f00 7fbf899c7fa8:80f52e8abf7f00002700000000000000
        7fbf899c7fc0:8000dc04098c228f298a298b2b9854d20422e4080c8f0a8a0a90328b0ef00302 0c06f000020506
        7fbf899dd1f8:80f52e8abf7f00001400000000000000
        7fbf899dd210:f003010101df000ff204040106f10c0001068507
        7fbf89b63008:c00b2f8abf7f00001400000000000000 7fbf89b63044:01000000
        7fbf89b63070:381d338abf7f0000 7fbf89b63080:981c338abf7f0000f0d19d89bf7f0000
        7fbf89b825b8:c00b2f8abf7f00003500000000000000 7fbf89b825f4:03000000
        7fbf89b82620:381d338abf7f0000 7fbf89b82630:106a9c89bf7f0000a07f9c89bf7f0000
        7fbf8a1937b0:f0000d0300000000 7fbf8a329738:e0ed338abf7f0000
        7fbf8a331ca0:e0c5308abf7f00000800000000000000 7fbf8a331cb8:e7000000
        7fbf8a331cc0:3c6d6f64756c653e 7fbf8a331d40:e0c5308abf7f00000800000000000000
        7fbf8a331d58:e7000000 7fbf8a331d60:3c737472696e673e 7fbf8a340a90:20e6368abf7f0000
        7fbf8a36e668:7890508abf7f0000 7fbf8a36e6c0:a757000000000000
        7fbf8a509020:0030b689bf7f0000c0714430fd7f0000 7fbf8a509058:e430b689bf7f0000 7fbf8a509066:00
        7fbf8a509078:b025b889bf7f00002090508abf7f0000 7fbf8a5090b0:d626b889bf7f0000 7fbf8a5090be:00
        7ffd304471c8:0000000000000000 7ffd30447206:03
        """)
}
