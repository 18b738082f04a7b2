import { describe, expect, it } from 'vitest';

import { parseFileUri } from '../../src/paths/file-uri.ts';
import { locatePath } from '../../src/paths/containment.ts';
import { WINDOWS } from '../../src/paths/naming.ts';
import { requireToolError } from '../fixtures.ts';

/** The operator's directories: one on a drive, one on a network share, and another one on the drive. */
const DIRECTORIES = [
  { path: String.raw`C:\w\safe`, realPath: String.raw`C:\w\safe` },
  { path: String.raw`\\files\team\safe`, realPath: String.raw`\\files\team\safe` },
  { path: String.raw`C:\kept`, realPath: String.raw`C:\kept` },
];

/**
 * Returns the index of the directory and the names below it, `outside`, or the error code. Only the text is examined, so no
 * network and no device is accessed.
 */
function getPathOutcome(given: string): string {
  try {
    const located = locatePath(given, DIRECTORIES, WINDOWS);
    return located === undefined ? 'outside' : `${DIRECTORIES.indexOf(located.directory)}: ${located.names.join('/')}`;
  } catch (error) {
    return requireToolError(error).code;
  }
}

const INSIDE: readonly (readonly [what: string, given: string, found: string])[] = [
  ['relative', String.raw`a\b.txt`, '0: a/b.txt'],
  ['with slashes', 'a/b.txt', '0: a/b.txt'],
  ['absolute', String.raw`C:\w\safe\a`, '0: a'],
  ['absolute with slashes', 'C:/w/safe/a', '0: a'],
  ['absolute with another case of the drive', String.raw`c:\w\safe\a`, '0: a'],
  ['absolute with another case of its names', String.raw`c:\W\SAFE\A`, '0: A'],
  ['the root', String.raw`C:\w\safe`, '0: '],
  ['the root with a backslash after it', 'C:\\w\\safe\\', '0: '],
  ['.. that stays inside', String.raw`a\..\b`, '0: b'],
  ['with .. out of the root and back', String.raw`..\safe\b`, '0: b'],
  ['on a share that is a root', String.raw`\\files\team\safe\a`, '1: a'],
  ['on a share that is a root, with slashes', '//FILES/team/safe/a', '1: a'],
  ['a name that starts with two dots', '..a', '0: ..a'],
  ['a name with spaces in it', 'a b', '0: a b'],
  ['a name that begins like a device', 'console.txt', '0: console.txt'],
  ['a name that begins like a numbered device', 'com10', '0: com10'],
  ['a name with a tilde', 'notes~.txt', '0: notes~.txt'],
  ['~', '~', '0: ~'],
];

const OUTSIDE: readonly (readonly [attack: string, given: string])[] = [
  ['..', String.raw`..\other`],
  ['.. with slashes', '../other'],
  ['.. with both', String.raw`a/..\../other`],
  ['a sibling with the root as prefix', String.raw`C:\w\safe_evil\x`],
  ['a sibling spelled with the Kelvin sign', 'C:\\\u212aept\\x'],
  ['another drive', String.raw`D:\w\safe\a`],
  ['the path on the current drive', String.raw`\w\other`],
  ['relative to a drive', 'C:a'],
  ['relative to a drive, upwards', String.raw`C:..\other`],
  ['relative to another drive', 'D:a'],
  ['a drive alone', 'C:'],
  ['UNC path', String.raw`\\attacker\share\a`],
  ['UNC path with slashes', '//attacker/share/a'],
  ['UNC path with mixed slashes', String.raw`/\attacker/share/a`],
  ['UNC path to another share of a known server', String.raw`\\files\other\a`],
  ['UNC path to a share that starts with the name of the root', String.raw`\\files\team\safe_evil`],
  ['UNC path over WebDAV', String.raw`\\attacker@SSL@443\DavWWWRoot\a`],
  ['UNC path to this machine', String.raw`\\localhost\C$\w\safe\a`],
  [String.raw`\\?\ to a path inside`, String.raw`\\?\C:\w\safe\a`],
  [String.raw`\\?\ to a path outside`, String.raw`\\?\C:\other`],
  [String.raw`\\?\ with .. that nothing takes out`, String.raw`\\?\C:\w\safe\..\other`],
  [String.raw`\\?\ with slashes`, '//?/C:/w/safe/a'],
  [String.raw`\\?\UNC`, String.raw`\\?\UNC\attacker\share\a`],
  [String.raw`\\?\GLOBALROOT`, String.raw`\\?\GLOBALROOT\Device\HarddiskVolume1\a`],
  ['a volume by its GUID', String.raw`\\?\Volume{b75e2c83-0000-0000-0000-602f00000000}\a`],
  ['a device', String.raw`\\.\PhysicalDrive0`],
  ['a named pipe', String.raw`\\.\pipe\a`],
  ['a device with slashes', '//./C:/w/safe/a'],
  ['a path of the object manager', String.raw`\??\C:\w\safe\a`],
];

/** Names that Windows interprets in a special way. */
const STRANGE: readonly (readonly [attack: string, given: string])[] = [
  ...['CON', 'con', 'PRN', 'AUX', 'NUL', 'COM1', 'com9', 'LPT1', 'COM¹', 'CONIN$', 'CONOUT$'].map(
    (name) => [name, name] as const,
  ),
  ['a device with an extension', 'nul.txt'],
  ['a device with two extensions', 'NUL.tar.gz'],
  ['a device with spaces before its extension', 'COM1  .txt'],
  ['a device as directory', String.raw`aux\a.txt`],
  ['a device below a directory', String.raw`a\lpt1.log`],
  ['a device by its absolute path', String.raw`C:\w\safe\prn`],
  ['alternate stream', 'a.txt:hidden'],
  ['alternate stream by its type', 'a.txt::$DATA'],
  ['alternate stream of a directory', 'ab::$INDEX_ALLOCATION'],
  ['alternate stream in the middle', String.raw`ab:c\d`],
  ['trailing dot', 'a.txt.'],
  ['trailing dots', 'a.txt...'],
  ['trailing space', 'a.txt '],
  ['trailing dot and space', 'a.txt. .'],
  ['.. with a space after it', String.raw`.. \other`],
  ['trailing dot in the middle', String.raw`a.\b`],
  ['three dots', '...'],
  ['space', ' '],
  ['short name', 'PROGRA~1'],
  ['short name with an extension', 'SECRET~1.TXT'],
  ['short name of a hidden file', 'ENV~1'],
  ['short name in the middle', String.raw`SSH~1\id_rsa`],
  ['short name with a checksum', 'SE3A1F~1.TXT'],
  ['wildcard', '*.txt'],
  ['wildcard of one character', 'a?.txt'],
  ['wildcards of DOS', 'a<.txt'],
  ['quote', 'a".txt'],
  ['pipe', 'a|b'],
  ['control character', 'a\u0001b'],
  ['newline', 'a\nb'],
];

const NO_PATHS = [
  ['NUL character', 'a\0.txt'],
  ['nothing', ''],
  ['more than 4,096 bytes', 'a\\'.repeat(2100)],
] as const;

describe('a path on Windows', () => {
  it.each(INSIDE)('is found below its root: %s', (_, given, found) => {
    expect(getPathOutcome(given)).toBe(found);
  });

  it.each(OUTSIDE)('is recognised as outside by its text alone: %s', (_, given) => {
    expect(getPathOutcome(given)).toBe('outside');
  });

  it.each([...STRANGE, ...NO_PATHS])('is not a valid file path: %s', (_, given) => {
    expect(getPathOutcome(given)).toBe('INVALID_PATH');
  });
});

describe('a file URI on Windows', () => {
  it.each([
    ['a drive', 'file:///C:/w/safe', String.raw`C:\w\safe`],
    ['a drive whose colon is encoded', 'file:///c%3A/w/safe', String.raw`c:\w\safe`],
    ['this machine', 'file://localhost/C:/w/safe', String.raw`C:\w\safe`],
    ['a space', 'file:///C:/w/my%20files', String.raw`C:\w\my files`],
    ['another machine', 'file://attacker/share/a', undefined],
    ['another machine with slashes in its path', 'file:////attacker/share/a', undefined],
    ['no drive', 'file:///w/safe', undefined],
    ['an encoded slash', 'file:///C:/w%2Fsafe', undefined],
    ['an encoded backslash', 'file:///C:/w%5Csafe', undefined],
    ['an encoded NUL', 'file:///C:/w%00', undefined],
    ['another scheme', 'vscode-remote://wsl/C:/w', undefined],
  ])('is a path of this machine or not a path: %s', (_, uri, expected) => {
    expect(parseFileUri(uri, WINDOWS)).toBe(expected);
  });
});
