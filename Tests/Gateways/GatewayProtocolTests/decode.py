"""Decodes lines of JSON from standard input with TheengsDecoder; prints an empty line for what it does not know."""
import sys

import TheengsDecoder

for line in sys.stdin:
    print(TheengsDecoder.decodeBLE(line.strip()) or "")
