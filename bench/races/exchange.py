"""exchange.py ONE OTHER: exchanges the entries at two paths until standard input ends, then prints the number of exchanges."""

import ctypes
import os
import select
import sys

AT_FDCWD = -100
RENAME_EXCHANGE = 2
BETWEEN_LOOKS = 256

rename = ctypes.CDLL(None, use_errno=True).renameat2
one, other = (os.fsencode(path) for path in sys.argv[1:])


def exchange():
    if rename(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


times = 0
print("exchanging", flush=True)
while not select.select([sys.stdin], [], [], 0)[0]:
    for _ in range(BETWEEN_LOOKS):
        exchange()
    times += BETWEEN_LOOKS
print(times)
