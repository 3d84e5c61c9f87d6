import Foundation
import RigModel
import RigProfiles
import TestSupport
import Testing

@Suite("The profiles that the rig is built with")
struct ShippedProfilesTests {
    /// The source folder of the profiles.
    private static let folder = Checkout.path("Sources/Rig/RigProfiles/profiles")

    private static var files: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: folder)
                .filter { $0.hasSuffix(".yml") }.map { String($0.dropLast(4)) }.sorted()
        }
    }

    @Test("the list in ShippedProfiles is the folder's, each file once")
    func list() throws { #expect(Workers.names.sorted() == (try Self.files)) }

    @Test("each can be read, is named like its file, and says what it is", arguments: Workers.names)
    func readable(name: String) throws {
        let profile = try Workers.named(name)
        #expect(profile.name == name)
        #expect(!profile.about.isEmpty && !profile.about.contains("\n"))
        // A promised bound needs a source.
        #expect(profile.bound.isEmpty == (profile.boundSource == nil))
    }

    /// The examples that readers copy from; they are not built in.
    @Test(
        "the examples can be read, and say how their state is",
        arguments: ["examples/downloader", "witness/downloader-c", "witness/downloader-python"])
    func examples(name: String) throws {
        let profile = try Workers.named(Checkout.path("harness/\(name).yml"))
        #expect(profile.inspection != nil)
        #expect(profile.bound[.sigkill] != nil && profile.boundSource != nil)
        #expect(profile.writesWitness == name.hasPrefix("witness/"))
    }

    /// One of them once could not be read, and a survey found out after half an hour.
    @Test("the profiles of stores and of the example app can be read")
    func stores() throws {
        let stores = try Checkout.entries(of: "harness/stores/profiles")
        #expect(stores.count > 20)
        for name in stores {
            let profile = try Workers.named(Checkout.path("harness/stores/profiles/\(name)"))
            #expect(name == "\(profile.name).yml" && profile.writesWitness)
            #expect(profile.bound.isEmpty == (profile.boundSource == nil), "\(name)")
        }
        _ = try Workers.named(Checkout.path("harness/examples/videos/worker.yml"))
    }

    /// The survey takes the version from the end of the folder's name.
    @Test("the profiles of downloaders of PyPI can be read, and say which version they start")
    func downloaders() throws {
        let names = try Checkout.entries(of: "harness/downloaders").filter {
            $0.hasSuffix(".yml") && !$0.hasPrefix("downloader-")
        }
        #expect(names.count > 3)
        for name in names {
            let profile = try Workers.named(Checkout.path("harness/downloaders/\(name)"))
            #expect(name == "\(profile.name).yml")
            #expect(profile.bound.isEmpty == (profile.boundSource == nil), "\(name)")
            let folder = try #require(profile.environment["PYTHONPATH"], "\(name)")
            #expect(folder.hasPrefix(".build/harness/downloaders/"))
            #expect(folder.split(separator: "-").last?.first?.isNumber == true)
        }
    }

    /// A `server`, or a library with its list, could only be killed: an audit tries more.
    @Test(
        "the downloader's proxy and its library are audited as programs that fetch one file",
        arguments: [("proxy", ["threshold", "durability"]), ("library", [])] as [(String, [String])]
    )
    func parts(name: String, given: [String]) throws {
        let path = Checkout.path("harness/downloaders/downloader-\(name).yml")
        let profile = try Workers.named(path)
        #expect(profile.name == "downloader-\(name)" && profile.server == nil)
        #expect((["url", "dir", "output"] + given).allSatisfy { profile.mentions($0) })
        let script = try #require(profile.command.first { $0.hasSuffix(".py") })
        #expect(Checkout.contains(script))
    }

    @Test("the file in the folder gives the profile that is compiled in", arguments: Workers.names)
    func sameText(name: String) throws {
        #expect(try Workers.named("\(Self.folder)/\(name).yml") == Workers.named(name))
    }

    @Test("the bugs of the offline library are killed right after a list or an image has come")
    func positions() throws {
        let bugs = try #require(try Workers.named("downloader").plantedBugs).bugs
        for (name, list) in [("delete-then-insert", 2), ("image-in-place", 1)] {
            let plan = LibraryPlan(largest: 512 << 10)
            let images =
                list == 1 ? plan.list(1).compactMap(\.image).prefix(2) : plan.images(1)[...]
            let position =
                Int64(list) * LibraryPlan.listBytes
                + images.map { plan.imageBytes[$0] }.reduce(0, +)
            let options = try #require(bugs.first { $0.name == name }).options
            #expect(options.last == "\(position)")
        }
    }

    @Test(
        "a name that is none is refused, with the one that was meant, or those that there are",
        arguments: [("culr", "did you mean 'curl'?"), ("nothing", "curl-unbuffered")])
    func unknown(name: String, advice: String) {
        let error = #expect(throws: RigError.self) { try Workers.named(name) }
        #expect(error?.status == .usage)
        #expect(error?.message.contains("no worker profile '\(name)'") == true)
        #expect(error?.message.contains(advice) == true)
    }

    @Test("a file that is not there is refused", arguments: ["./none.yml", "none.yaml", "a/b"])
    func missingFile(path: String) {
        let error = #expect(throws: RigError.self) { try Workers.named(path) }
        #expect(error?.status == .usage)
        #expect(error?.message.hasPrefix("cannot read \(path)") == true)
    }
}
