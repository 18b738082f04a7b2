import { detectEncoding } from '../text/read-text.ts';

/** The versions of a text: the common version, and the two versions that were made from it. */
export interface TextVersions {
  readonly base: Buffer;
  readonly ours: Buffer;
  readonly theirs: Buffer;
}

/** Maximum number of pairs of equal lines in both comparisons. It limits the time of a merge to about 0.5 s. */
const MAX_PAIRS = 20_000_000;

/** Outcome of a merge: the merged text, or the reason why the texts could not be merged. */
export type Merged =
  | { readonly bytes: Buffer; readonly reason?: undefined }
  | { readonly reason: string; readonly bytes?: undefined };

/**
 * Merges two versions of a text by lines. If both versions changed the same lines, returns a reason instead of conflict
 * markers.
 */
export async function mergeTexts({ base, ours, theirs }: TextVersions): Promise<Merged> {
  if ([base, ours, theirs].some((bytes) => detectEncoding(bytes) === undefined))
    return { reason: 'is a binary file that was edited since' };
  const { diff3Merge } = await import('node-diff3');
  // Latin-1 maps every byte to one character, so that a merge keeps the bytes of any encoding.
  const [old, mine, other] = [base, ours, theirs].map((bytes) => splitLines(bytes.toString('latin1')));
  if (old === undefined || mine === undefined || other === undefined) return { reason: 'has no text' };
  if (countPairs(old, mine) + countPairs(old, other) > MAX_PAIRS)
    return { reason: 'has too many equal lines, so later edits cannot be merged' };
  const regions = diff3Merge(mine, old, other, { excludeFalseConflicts: true });
  const lines: string[] = [];
  for (const { ok, conflict } of regions) {
    if (conflict !== undefined) return { reason: 'was edited later in the same lines' };
    lines.push(...(ok ?? []));
  }
  return { bytes: Buffer.from(lines.join(''), 'latin1') };
}

/** Returns the lines with their line endings. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function countPairs(one: readonly string[], other: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const line of one) counts.set(line, (counts.get(line) ?? 0) + 1);
  return other.reduce((pairs, line) => pairs + (counts.get(line) ?? 0), 0);
}
