/**
 * Paths are bytes to git, and text to clients. One that is UTF-8 is written as it is. Any other is written as git quotes it: between
 * double quotes, each byte that is not UTF-8, each double quote and each backslash as `\` and three octal digits, such as
 * `"caf\351.txt"`. A name that looks like one written so is written so itself: every path has one spelling, which names it alone.
 */
const QUOTED = /^"(?:[^"\\]|\\[0-3][0-7]{2})*"$/s;

const SLASH = 0x2f;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** One well-formed character of UTF-8, or one byte that is part of none; over bytes as Latin-1. */
const CHARACTERS =
  /[\0-\x7F]|[\xC2-\xDF][\x80-\xBF]|\xE0[\xA0-\xBF][\x80-\xBF]|\xED[\x80-\x9F][\x80-\xBF]|[\xE1-\xEC\xEE\xEF][\x80-\xBF]{2}|\xF0[\x90-\xBF][\x80-\xBF]{2}|[\xF1-\xF3][\x80-\xBF]{3}|\xF4[\x80-\x8F][\x80-\xBF]{2}|[\x80-\xFF]/gs;

/** How a path is written where text is needed. */
export function spellPath(bytes: Buffer): string {
  const text = utf8Of(bytes);
  return text === undefined || isSpelled(text) ? `"${escaped(bytes)}"` : text;
}

/** The bytes of a path as {@link spellPath} writes it. */
export function bytesOfPath(path: string): Buffer {
  if (!isSpelled(path)) return Buffer.from(path);
  return Buffer.concat(
    Array.from(path.slice(1, -1).matchAll(/\\([0-7]{3})|[^\\]+/gs), ([text, octal]) =>
      octal === undefined ? Buffer.from(text) : Buffer.of(Number.parseInt(octal, 8)),
    ),
  );
}

/** Paths as commands read them from stdin where `-z` or `--pathspec-file-nul` is said: each ends with NUL. */
export function pathList(paths: readonly string[]): Buffer {
  return Buffer.concat(paths.flatMap((path) => [bytesOfPath(path), Buffer.of(0)]));
}

/** The directories that a path leads through, the outermost first. */
export function directoriesAbove(path: string): readonly string[] {
  const parts = bytesOfPath(path).toString('latin1').split('/').slice(0, -1);
  return parts.map((_, position) => spellPath(Buffer.from(parts.slice(0, position + 1).join('/'), 'latin1')));
}

/** Whether a path ends with a slash, as git writes that of a directory. */
export function namesDirectory(path: string): boolean {
  return bytesOfPath(path).at(-1) === SLASH;
}

/** Whether a path is quoted as git does, with at least one octal escape. */
function isSpelled(path: string): boolean {
  return path.includes('\\') && QUOTED.test(path);
}

function utf8Of(bytes: Buffer): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

function escaped(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replaceAll(CHARACTERS, (character) =>
      character === '"' || character === '\\' || /^[\x80-\xFF]$/.test(character)
        ? `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`
        : Buffer.from(character, 'latin1').toString('utf8'),
    );
}
