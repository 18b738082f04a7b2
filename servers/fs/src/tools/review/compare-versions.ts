import { ToolError } from '@org/mcp-decorators';

import { readEditable, type EditableText } from '../../change/read-editable.ts';
import { findHunks, splitLines, type Hunk } from '../../edits/text-diff.ts';
import { flattenSnapshot, NO_LEAF, type Leaf } from '../../rewind/leaf.ts';
import type { Change } from '../../journal/change.ts';
import type { Target } from '../../storage/target.ts';
import { decode } from '../../text/encoding.ts';
import { detectEncoding } from '../../text/read-text.ts';
import type { Files } from '../files.ts';

/** The text of a file before a change, and the text that the file has now. */
export interface Versions {
  readonly current: EditableText;
  /** Lines with their line endings. */
  readonly old: readonly string[];
  readonly now: readonly string[];
  readonly hunks: readonly Hunk[];
}

/** A path that a change concerns, with its states before and after the change. */
export interface ChangedPlace {
  readonly path: string;
  readonly old: Leaf;
  readonly put: Leaf;
}

/** Lists the files, links and directories that a change concerns, except moved entries and large files with appended text. */
export function listPlaces({ steps }: Change): readonly ChangedPlace[] {
  return steps.flatMap((step) => {
    if (step.kind !== 'put') return [];
    const [old, put] = [flattenSnapshot(step.path, step.before), flattenSnapshot(step.path, step.after)];
    return [...new Set([...old.keys(), ...put.keys()])].map((path) => ({
      path,
      old: old.get(path) ?? NO_LEAF,
      put: put.get(path) ?? NO_LEAF,
    }));
  });
}

/**
 * Compares the text before a change with the text that a file has now. Resolves to `undefined` for a binary file, and for a text
 * that is too large or no longer stored. A path that was a link or a directory before the change also gives `undefined`.
 *
 * @throws ToolError NOT_FOUND for a missing file; CONFLICT if the file changed since the check; ENCODING
 */
export async function compareVersions(
  files: Files,
  target: Target,
  { old }: Pick<ChangedPlace, 'old'>,
): Promise<Versions | undefined> {
  const current = await readEditable(files, target, target.shown).catch(ignoreTooLarge);
  const before = current && (await readBefore(files, old));
  if (current === undefined || before === undefined) return undefined;
  const [oldLines, now] = [splitLines(before), splitLines(current.text)];
  return { current, old: oldLines, now, hunks: await findHunks(oldLines, now) };
}

function ignoreTooLarge(error: unknown): undefined {
  if (!ToolError.is(error) || error.code !== 'TOO_LARGE') throw error;
}

async function readBefore({ changes, limits }: Files, old: Leaf): Promise<string | undefined> {
  if (old.type === 'none') return '';
  if (old.type !== 'file' || old.size > limits.maxEditBytes) return undefined;
  const bytes = await changes.journal.contents.readWhole(old.hash);
  const encoding = bytes && detectEncoding(bytes);
  return bytes && encoding && (await decode(bytes, encoding)).text;
}

/** Returns the text in which the hunks with these numbers, from 0, have the old lines again. */
export function restoreHunks({ old, now, hunks }: Versions, numbers: ReadonlySet<number>): string {
  const lines = [...now];
  for (const [number, hunk] of [...hunks.entries()].reverse()) {
    if (!numbers.has(number)) continue;
    const first = hunk.oldStart - 1;
    lines.splice(hunk.newStart - 1, countLines(hunk, '+'), ...old.slice(first, first + countLines(hunk, '-')));
  }
  return lines.join('');
}

/** Counts the lines of one version of a hunk: the lines of the context, and those with the sign. */
function countLines({ lines }: Hunk, sign: '+' | '-'): number {
  return lines.filter((line) => line.startsWith(' ') || line.startsWith(sign)).length;
}
