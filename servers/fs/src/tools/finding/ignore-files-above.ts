import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';
import type { OpenDirectory, Roots } from '@org/mcp-roots';

import type { IgnoreFile } from '../../walk/ignore-rules.ts';

/** Maximum number of bytes of a `.gitignore` file. The rules of a larger file are not read. */
const MAX_BYTES = 1_048_576;

/** Reads the `.gitignore` files above a directory, up to its repository or root. The outermost file is first. */
export async function readIgnoreFilesAbove(roots: Roots, directory: OpenDirectory): Promise<readonly IgnoreFile[]> {
  const files: IgnoreFile[] = [];
  const names = namesAbove(roots, directory.shown);
  if (await isRepository(directory)) return files;
  for (let count = 1; count <= names.length; count += 1) {
    const above = path.join(directory.shown, ...Array.from({ length: count }, () => '..'));
    await using parent = await openUnlessDenied(roots, above);
    if (parent === undefined) break;
    const text = await readRules(parent);
    if (text !== undefined) files.unshift({ below: names.slice(-count).join('/'), text });
    if (await isRepository(parent)) break;
  }
  return files;
}

/** Opens a directory. Returns `undefined` if it is denied, because a root may be inside a denied directory of another root. */
async function openUnlessDenied(roots: Roots, above: string): Promise<OpenDirectory | undefined> {
  try {
    return await roots.openDirectory(above);
  } catch (error) {
    if (ToolError.is(error) && error.code === 'DENIED_BY_POLICY') return undefined;
    throw error;
  }
}

/** Returns the names on the path from the outermost root to a directory. */
function namesAbove(roots: Roots, shown: string): readonly string[] {
  const ways = roots.directories
    .map((root) => path.relative(root.path, shown))
    .filter((way) => way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way));
  const longest = ways.toSorted((one, other) => other.length - one.length)[0] ?? '';
  return longest === '' ? [] : longest.split(path.sep);
}

async function isRepository(directory: OpenDirectory): Promise<boolean> {
  return !directory.isDenied('.git') && (await directory.facts('.git')) !== undefined;
}

async function readRules(directory: OpenDirectory): Promise<string | undefined> {
  if (directory.isDenied('.gitignore')) return undefined;
  const facts = await directory.facts('.gitignore');
  if (facts?.isFile() !== true || facts.size > MAX_BYTES) return undefined;
  await using file = await directory.openFile('.gitignore');
  return decodeUtf8(await file.readAt(0, file.size));
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes UTF-8 without its byte order mark. Returns `undefined` if the bytes are not text. */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}
