internal import ArgumentParser

struct AddressOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The video's address, http or https.", valueName: "url"))
    var address: String?

    @Option(help: "The address as an option, in the place of the argument.")
    var url: String?

    func validate() throws {
        guard address == nil || url == nil else {
            throw ValidationError("There are two addresses; leave out --url.")
        }
    }

    var given: String? { address ?? url }

    var required: String {
        get throws {
            guard let given else {
                throw ValidationError("No video is named; give its address, as an argument.")
            }
            return given
        }
    }
}
