import Foundation
import RigModel
import TestSupport
import Testing

@testable import RigProfiles

/// The schema by which editors complete a profile has the keys that the rig reads.
///
/// `harness/ci/schemas` checks every profile of the project against it.
@Suite struct WorkerSchemaTests {
    private static var properties: [String: [String: Any]] {
        get throws {
            let data = Data(try Checkout.text(of: "docs/schemas/worker.schema.json").utf8)
            let schema = try #require(
                try JSONSerialization.jsonObject(with: data) as? [String: Any])
            return try #require(schema["properties"] as? [String: [String: Any]])
        }
    }

    @Test func itHasTheKeysOfAProfile() throws {
        #expect(try Set(Self.properties.keys) == Set(ProfileReader.keys))
        for (key, property) in try Self.properties {
            #expect(!(property["description"] as? String ?? "").isEmpty, "\(key)")
        }
    }

    @Test(arguments: ["bound", "bound_over_tls"])
    func aBoundIsOfTheFaultsThatThereAre(key: String) throws {
        let faults = try #require(try Self.properties[key]?["properties"] as? [String: Any])
        #expect(Set(faults.keys) == Set(Fault.allCases.map(\.rawValue)))
    }

    /// Each key of a mapping inside is one that the reader knows: it complains of another thing.
    @Test(arguments: ["server", "source", "library", "planted_bugs", "inspect"])
    func keysInsideAreThoseOfTheReader(key: String) throws {
        let property = try #require(try Self.properties[key])
        let forms = property["oneOf"] as? [[String: Any]] ?? [property]
        for form in forms {
            let inner = try #require(form["properties"] as? [String: Any])
            for name in inner.keys.sorted() + ["unheard-of"] {
                let text = "name: a\ncommand: [a, '{url}']\n\(key): {\(name): 5}\n"
                var complaint = ""
                do { _ = try Workers.read(text, name: "worker.yml") } catch {
                    complaint = error.message
                }
                let isUnknown = complaint.contains("has no key '\(name)'")
                #expect(isUnknown == (name == "unheard-of"), "\(complaint)")
            }
        }
    }
}
