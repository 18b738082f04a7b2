"""A FUSE file system in memory that opens one file under several names, as those of other platforms do.

Usage: aliasing.py MOUNTPOINT [fold] [normalise] [strip] [short] [streams] [renumber]

  fold       names differ in nothing but their letters: full case folding, compatibility characters
  normalise  the Unicode normal form of a name does not count
  strip      dots and spaces at the end of a name do not count
  short      every name longer than 8.3 has a second one that no directory lists, such as ENV~1
  streams    "name:anything" is the content of "name"
  renumber   each spelling has an inode number of its own, as with the path-based interface of libfuse

It speaks the kernel's protocol (version 7.31) itself, so nothing but Python and the right to mount is needed. It prints "ready"
once it is mounted, and unmounts when its standard input ends.
"""

import ctypes
import errno
import os
import select
import stat
import struct
import sys
import time
import unicodedata

ROOT = 1
ATTRIBUTES = struct.Struct("<6Q10I")
IN_HEADER = struct.Struct("<IIQQIIIHH")
BUFFER = 1 << 17


class Node:
    def __init__(self, number, mode, owner):
        self.number, self.mode, self.owner = number, mode, list(owner)
        self.links = 2 if stat.S_ISDIR(mode) else 1
        self.entries = {}  # key -> [name, node]
        self.content = bytearray()
        self.times = [time.time_ns()] * 3

    def touch(self):
        self.times[1] = self.times[2] = time.time_ns()


class Failure(Exception):
    pass


class FileSystem:
    def __init__(self, traits):
        self.traits = traits
        self.numbers = ROOT
        self.nodes = {ROOT: Node(ROOT, stat.S_IFDIR | 0o755, (0, 0))}
        self.aliases = {}

    # Names

    def key(self, name):
        text = name.decode("utf-8", "surrogateescape")
        if "strip" in self.traits:
            text = text.rstrip(". ") or text
        if "normalise" in self.traits:
            text = unicodedata.normalize("NFD", text)
        if "fold" in self.traits:
            text = unicodedata.normalize("NFKD", text).casefold()
            text = unicodedata.normalize("NFKD", text)
        return text

    def find(self, directory, name):
        text = name
        if "streams" in self.traits and b":" in text:
            text = text[: text.index(b":")]
        key = self.key(text)
        if key in directory.entries:
            return key
        if "short" in self.traits:
            for each, (listed, _) in directory.entries.items():
                if short_name(listed) == text.upper():
                    return each
        return None

    def lookup(self, directory, name):
        key = self.find(directory, name)
        if key is None:
            raise Failure(errno.ENOENT)
        return directory.entries[key][1]

    def identify(self, parent, name, node):
        """The number by which the kernel knows what has a name."""
        if "renumber" not in self.traits:
            return node.number
        alias = self.aliases.get((parent, name))
        if alias is None or self.nodes.get(alias) is not node:
            self.numbers += 1
            alias = self.aliases[(parent, name)] = self.numbers
            self.nodes[alias] = node
        return alias

    def add(self, directory, name, node):
        if self.find(directory, name) is not None:
            raise Failure(errno.EEXIST)
        directory.entries[self.key(name)] = [name, node]
        directory.touch()

    def remove(self, directory, name):
        key = self.find(directory, name)
        node = directory.entries.pop(key)[1]
        node.links -= 1
        directory.touch()

    def make(self, mode, owner):
        self.numbers += 1
        node = self.nodes[self.numbers] = Node(self.numbers, mode, owner)
        return node

    # Answers

    def attributes(self, number):
        node = self.nodes[number]
        size = len(node.content)
        seconds = [each // 10**9 for each in node.times]
        rest = [each % 10**9 for each in node.times]
        return ATTRIBUTES.pack(
            number, size, (size + 511) // 512, *seconds, *rest, node.mode, node.links, *node.owner, 0, 4096, 0
        )

    def entry(self, parent, name, node):
        number = self.identify(parent, name, node)
        return struct.pack("<QQQQII", number, 0, 0, 0, 0, 0) + self.attributes(number)

    # Requests, by the kernel's numbers for them

    def look_up(self, request):
        name = request.names()[0]
        return self.entry(request.number, name, self.lookup(request.node, name))

    def get_attributes(self, request):
        return struct.pack("<QII", 0, 0, 0) + self.attributes(request.number)

    def set_attributes(self, request):
        given = struct.unpack_from("<IIQQQQQQ8I", request.body)
        valid, size, times = given[0], given[3], given[5:8]
        parts, mode, uid, gid = given[8:11], given[11], given[13], given[14]
        node = request.node
        if valid & 1:
            node.mode = stat.S_IFMT(node.mode) | stat.S_IMODE(mode)
        if valid & 2:
            node.owner[0] = uid
        if valid & 4:
            node.owner[1] = gid
        if valid & 8:
            del node.content[size:]
            node.content.extend(bytes(size - len(node.content)))
            node.touch()
        for index, (bit, now) in enumerate(((16, 128), (32, 256))):
            if valid & now:
                node.times[index] = time.time_ns()
            elif valid & bit:
                node.times[index] = times[index] * 10**9 + parts[index]
        node.times[2] = time.time_ns()
        return self.get_attributes(request)

    def read_link(self, request):
        return bytes(request.node.content)

    def symlink(self, request):
        name, target = request.names()
        node = self.make(stat.S_IFLNK | 0o777, request.owner)
        node.content += target
        self.add(request.node, name, node)
        return self.entry(request.number, name, node)

    def make_node(self, request):
        mode, _, umask, _ = struct.unpack_from("<4I", request.body)
        return self.create_entry(request, 16, mode & ~umask)

    def make_directory(self, request):
        mode, umask = struct.unpack_from("<2I", request.body)
        return self.create_entry(request, 8, stat.S_IFDIR | (mode & ~umask))

    def create(self, request):
        _, mode, umask, _ = struct.unpack_from("<4I", request.body)
        return self.create_entry(request, 16, mode & ~umask) + self.open(request)

    def create_entry(self, request, skip, mode):
        name = request.names(skip)[0]
        node = self.make(mode, request.owner)
        self.add(request.node, name, node)
        return self.entry(request.number, name, node)

    def unlink(self, request):
        name = request.names()[0]
        if stat.S_ISDIR(self.lookup(request.node, name).mode):
            raise Failure(errno.EISDIR)
        self.remove(request.node, name)

    def remove_directory(self, request):
        name = request.names()[0]
        node = self.lookup(request.node, name)
        if not stat.S_ISDIR(node.mode):
            raise Failure(errno.ENOTDIR)
        if node.entries:
            raise Failure(errno.ENOTEMPTY)
        self.remove(request.node, name)

    def rename(self, request):
        return self.move(request, struct.unpack_from("<Q", request.body)[0], 0, 8)

    def rename2(self, request):
        target, flags, _ = struct.unpack_from("<QII", request.body)
        return self.move(request, target, flags, 16)

    def move(self, request, target, flags, skip):
        old, new = request.names(skip)
        to = self.nodes[target]
        node = self.lookup(request.node, old)
        present = self.find(to, new)
        if flags & 1 and present is not None:
            raise Failure(errno.EEXIST)
        if flags & ~1:
            raise Failure(errno.EINVAL)
        replaced = None if present is None else to.entries[present][1]
        if replaced is not None and replaced is not node:
            if replaced.entries:
                raise Failure(errno.ENOTEMPTY)
            self.remove(to, new)
        elif replaced is node and present != self.find(request.node, old):
            return  # Two names of one file.
        del request.node.entries[self.find(request.node, old)]
        to.entries[self.key(new)] = [new, node]
        request.node.touch()
        to.touch()

    def link(self, request):
        node = self.nodes[struct.unpack_from("<Q", request.body)[0]]
        name = request.names(8)[0]
        self.add(request.node, name, node)
        node.links += 1
        return self.entry(request.number, name, node)

    def open(self, _):
        return struct.pack("<QII", 0, 1, 0)  # FOPEN_DIRECT_IO

    def open_directory(self, _):
        return struct.pack("<QII", 0, 0, 0)

    def read(self, request):
        _, offset, size = struct.unpack_from("<QQI", request.body)
        return bytes(request.node.content[offset : offset + size])

    def write(self, request):
        _, offset, size = struct.unpack_from("<QQI", request.body)
        node = request.node
        node.content.extend(bytes(max(0, offset - len(node.content))))
        node.content[offset : offset + size] = request.body[40 : 40 + size]
        node.touch()
        return struct.pack("<II", size, 0)

    def read_directory(self, request):
        _, offset, size = struct.unpack_from("<QQI", request.body)
        listed = [[b".", request.node], [b"..", request.node], *request.node.entries.values()]
        answer = b""
        for position, (name, node) in enumerate(listed[offset:], offset + 1):
            one = struct.pack("<QQII", node.number, position, len(name), stat.S_IFMT(node.mode) >> 12) + name
            one += bytes(-len(one) % 8)
            if len(answer) + len(one) > size:
                break
            answer += one
        return answer

    def statistics(self, _):
        return struct.pack("<5Q4I6I", 1 << 20, 1 << 19, 1 << 19, 1 << 20, 1 << 19, 4096, 255, 4096, 0, *[0] * 6)

    def start(self, request):
        ahead = struct.unpack_from("<III", request.body)[2]
        return struct.pack("<IIIIHHIIHHI7I", 7, 31, ahead, 0, 12, 9, BUFFER // 2, 1, 0, 0, 0, *[0] * 7)

    def nothing(self, _):
        return None


class Request:
    def __init__(self, bytes_read, file_system):
        self.length, self.operation, self.unique, self.number, uid, gid, _, _, _ = IN_HEADER.unpack_from(bytes_read)
        self.owner = (uid, gid)
        self.body = bytes_read[IN_HEADER.size : self.length]
        self.node = file_system.nodes.get(self.number)

    def names(self, skip=0):
        return self.body[skip:].rstrip(b"\0").split(b"\0")


def short_name(name):
    """As FAT makes it up, with the number 1 always; nothing for a name that has the form already."""
    stem, dot, extension = name.lstrip(b".").rpartition(b".")
    if not dot:
        stem, extension = extension, b""
    if len(stem) <= 8 and len(extension) <= 3 and not name.startswith(b".") and b" " not in name:
        return None
    short = stem.replace(b".", b"").replace(b" ", b"")[:6] + b"~1"
    return (short + (b"." + extension[:3] if extension else b"")).upper()


OPERATIONS = {
    1: FileSystem.look_up,
    3: FileSystem.get_attributes,
    4: FileSystem.set_attributes,
    5: FileSystem.read_link,
    6: FileSystem.symlink,
    8: FileSystem.make_node,
    9: FileSystem.make_directory,
    10: FileSystem.unlink,
    11: FileSystem.remove_directory,
    12: FileSystem.rename,
    13: FileSystem.link,
    14: FileSystem.open,
    15: FileSystem.read,
    16: FileSystem.write,
    17: FileSystem.statistics,
    18: FileSystem.nothing,
    20: FileSystem.nothing,
    25: FileSystem.nothing,
    26: FileSystem.start,
    27: FileSystem.open_directory,
    28: FileSystem.read_directory,
    29: FileSystem.nothing,
    30: FileSystem.nothing,
    35: FileSystem.create,
    38: FileSystem.nothing,
    45: FileSystem.rename2,
}
UNANSWERED = (2, 36, 42)  # FORGET, INTERRUPT, BATCH_FORGET


def answer(file_system, request):
    operation = OPERATIONS.get(request.operation)
    try:
        if operation is None:
            raise Failure(errno.ENOSYS)
        return 0, operation(file_system, request) or b""
    except Failure as failure:
        return -failure.args[0], b""


def serve(device, file_system):
    while True:
        ready, _, _ = select.select([device, 0], [], [])
        if 0 in ready and not os.read(0, 1):
            return
        if device not in ready:
            continue
        try:
            request = Request(os.read(device, BUFFER + 4096), file_system)
        except OSError as error:
            if error.errno == errno.ENODEV:
                return
            continue
        if request.operation in UNANSWERED:
            continue
        code, body = answer(file_system, request)
        os.write(device, struct.pack("<IiQ", 16 + len(body), code, request.unique) + body)


def main():
    mountpoint, *traits = sys.argv[1:]
    libc = ctypes.CDLL(None, use_errno=True)
    device = os.open("/dev/fuse", os.O_RDWR)
    options = f"fd={device},rootmode=40000,user_id=0,group_id=0,allow_other,default_permissions"
    if libc.mount(b"aliasing", mountpoint.encode(), b"fuse.aliasing", 0, options.encode()) != 0:
        sys.exit(os.strerror(ctypes.get_errno()))
    print("ready", flush=True)
    try:
        serve(device, FileSystem(set(traits)))
    finally:
        libc.umount2(mountpoint.encode(), 2)


main()
