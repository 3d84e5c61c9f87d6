#!/usr/bin/env node
// Saves a hundred orders, each in a file, and says each.
// Its mistake: it does not wait for the file before it says the order.
//
//   early.js run FOLDER
//   early.js check FOLDER SAID    0 if every order that was said is there, and 1 if not
const fs = require("fs");

const [, , what, folder, said] = process.argv;
const file = (number) => `${folder}/order-${number}`;
const text = (number) => `order ${number}\n`.repeat(200);

function save(number) {
    if (number > 100) return;
    fs.writeFile(file(number), text(number), (error) => {
        if (error) throw error;
    });
    console.log(number);
    setTimeout(save, 5, number + 1);
}

if (what === "check") {
    for (const line of fs.readFileSync(said, "utf8").split("\n").filter(Boolean)) {
        if (!fs.existsSync(file(line)) || fs.readFileSync(file(line), "utf8") !== text(line)) {
            console.log(`order ${line} was said, and is not there, or not whole`);
            process.exit(1);
        }
    }
} else {
    save(1);
}
