import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';
import type { OpenDirectory, Roots } from '@org/mcp-roots';

import { decodeUtf8 } from '../text/decode.ts';
import type { IgnoreFile } from './job.ts';

/** Larger ones are no lists of rules. */
const MAX_BYTES = 1_048_576;

/** Rules of the directories above one, as far up as its repository and the roots reach; the outermost first. */
export async function ignoredAbove(roots: Roots, directory: OpenDirectory): Promise<readonly IgnoreFile[]> {
  const files: IgnoreFile[] = [];
  const names = namesAbove(roots, directory.shown);
  if (await isRepository(directory)) return files;
  for (let count = 1; count <= names.length; count += 1) {
    const above = path.join(directory.shown, ...Array.from({ length: count }, () => '..'));
    await using parent = await openUnlessDenied(roots, above);
    if (parent === undefined) break;
    const text = await rulesIn(parent);
    if (text !== undefined) files.unshift({ below: names.slice(-count).join('/'), text });
    if (await isRepository(parent)) break;
  }
  return files;
}

/** A root may lie in what is denied in another one. */
async function openUnlessDenied(roots: Roots, above: string): Promise<OpenDirectory | undefined> {
  try {
    return await roots.openDirectory(above);
  } catch (error) {
    if (ToolError.is(error) && error.code === 'DENIED_BY_POLICY') return undefined;
    throw error;
  }
}

/** The names that lead from a root to a directory. */
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

async function rulesIn(directory: OpenDirectory): Promise<string | undefined> {
  if (directory.isDenied('.gitignore')) return undefined;
  const facts = await directory.facts('.gitignore');
  if (facts?.isFile() !== true || facts.size > MAX_BYTES) return undefined;
  await using file = await directory.openFile('.gitignore');
  return decodeUtf8(await file.readAt(0, file.size));
}
