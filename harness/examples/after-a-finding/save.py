#!/usr/bin/env python3
"""Saves one letter after another, each as a whole file: `save.py DIR`.

The old file or the new one is to be there after any crash, which `save.py check DIR` looks at.
"""
import os
import sys
import time

SIZE = 8192


def save(letter):
    with open("letters.tmp", "w", encoding="ascii") as file:
        file.write(letter * SIZE)
    os.replace("letters.tmp", "letters")


def check():
    if os.path.exists("letters"):
        with open("letters", "rb") as file:
            text = file.read()
        if len(text) != SIZE or text[:1] < b"a" or text.strip(text[:1]):
            sys.exit("letters is wrong")


os.chdir(sys.argv[-1])
if len(sys.argv) > 2:
    check()
else:
    for number in range(60):
        save(chr(ord("a") + number % 26))
        time.sleep(0.005)
