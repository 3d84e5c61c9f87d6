#!/usr/bin/env node
// Counts to a hundred in a file, which it renames to its place, and says each number.
// Its mistake: the lock that a killed one has left keeps every later one away.
//
//   lock.js run FOLDER
//   lock.js check FOLDER SAID    0 if the last number that was said is there, and 1 if not
const fs = require("fs");

const [, , what, folder, said] = process.argv;
const [lock, count] = [`${folder}/lock`, `${folder}/count`];
const counted = () => (fs.existsSync(count) ? Number(fs.readFileSync(count, "utf8")) : 0);

function step(number) {
    if (number > 100) return fs.unlinkSync(lock);
    const file = fs.openSync(`${count}.new`, "w");
    fs.writeSync(file, `${number}\n`);
    fs.fsyncSync(file);
    fs.closeSync(file);
    fs.renameSync(`${count}.new`, count);
    console.log(number);
    setTimeout(step, 5, number + 1);
}

if (what === "check") {
    const last = fs.readFileSync(said, "utf8").trim().split("\n").map(Number).pop();
    if (counted() < last) {
        console.log(`${last} was said, and ${counted()} is there`);
        process.exit(1);
    }
} else {
    try {
        fs.closeSync(fs.openSync(lock, "wx"));
    } catch {
        console.error("another one is running");
        process.exit(1);
    }
    step(counted() + 1);
}
