import { escapeInvisible } from '@org/mcp-decorators';

/**
 * Matches a quoted path. In git, paths are bytes; for clients, they are text. A path in UTF-8 is written unchanged. Any other
 * path is written as git quotes it: in double quotes, with each byte that is not UTF-8, each double quote and each backslash as
 * `\` and three octal digits, such as `"caf\351.txt"`. A UTF-8 path that looks quoted is quoted itself, so that each text stands
 * for exactly one path.
 */
const QUOTED = /^"(?:[^"\\]|\\[0-3][0-7]{2})*"$/s;

const SLASH = 0x2f;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** One well-formed UTF-8 character, or one byte that is not part of a character; for bytes as Latin-1. */
const CHARACTERS =
  /[\0-\x7F]|[\xC2-\xDF][\x80-\xBF]|\xE0[\xA0-\xBF][\x80-\xBF]|\xED[\x80-\x9F][\x80-\xBF]|[\xE1-\xEC\xEE\xEF][\x80-\xBF]{2}|\xF0[\x90-\xBF][\x80-\xBF]{2}|[\xF1-\xF3][\x80-\xBF]{3}|\xF4[\x80-\x8F][\x80-\xBF]{2}|[\x80-\xFF]/gs;

/** Converts the bytes of a path to text. */
export function decodePath(bytes: Buffer): string {
  const text = decodeUtf8(bytes);
  return text === undefined || isQuoted(text) ? `"${escapeBytes(bytes)}"` : text;
}

/** Converts text from {@link decodePath} to the bytes of the path. */
export function encodePath(path: string): Buffer {
  if (!isQuoted(path)) return Buffer.from(path);
  return Buffer.concat(
    Array.from(path.slice(1, -1).matchAll(/\\([0-7]{3})|[^\\]+/gs), ([text, octal]) =>
      octal === undefined ? Buffer.from(text) : Buffer.of(Number.parseInt(octal, 8)),
    ),
  );
}

/**
 * Formats a path for a text. A path with characters that could forge lines or hide parts of the text is quoted, with each byte of
 * these characters in octal: `"new\012line.txt"`. {@link encodePath} converts the result to the bytes of the path, whether it is
 * quoted or not.
 */
export function formatPath(path: string): string {
  if (escapeInvisible(path) === path) return path;
  const isEscaped = isQuoted(path);
  const characters = Array.from(isEscaped ? path.slice(1, -1) : path, (character) => {
    const isSpecial = !isEscaped && (character === '"' || character === '\\');
    return isSpecial || escapeInvisible(character) !== character
      ? Array.from(Buffer.from(character), formatOctal).join('')
      : character;
  });
  return `"${characters.join('')}"`;
}

/** Encodes paths for stdin of a command with `-z` or `--pathspec-file-nul`. Each path ends with NUL. */
export function encodePathList(paths: readonly string[]): Buffer {
  return Buffer.concat(paths.flatMap((path) => [encodePath(path), Buffer.of(0)]));
}

/** Lists the parent directories of a path, the outermost first. */
export function listParentDirectories(path: string): readonly string[] {
  const parts = encodePath(path).toString('latin1').split('/').slice(0, -1);
  return parts.map((_, position) => decodePath(Buffer.from(parts.slice(0, position + 1).join('/'), 'latin1')));
}

/** Whether a path ends with a slash, which git writes after a directory. */
export function endsWithSlash(path: string): boolean {
  return encodePath(path).at(-1) === SLASH;
}

/** Whether a path is quoted as git does, with at least one octal escape. */
function isQuoted(path: string): boolean {
  return path.includes('\\') && QUOTED.test(path);
}

function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

function escapeBytes(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replaceAll(CHARACTERS, (character) =>
      character === '"' || character === '\\' || /^[\x80-\xFF]$/.test(character)
        ? formatOctal(character.charCodeAt(0))
        : Buffer.from(character, 'latin1').toString('utf8'),
    );
}

function formatOctal(byte: number): string {
  return `\\${byte.toString(8).padStart(3, '0')}`;
}
