import { decode, endedFields } from './fields.ts';

/** One side of a conflict, as the index keeps it. */
interface Stage {
  /** 1: the common ancestor's, 2: ours, 3: theirs. */
  readonly stage: 1 | 2 | 3;
  readonly oid: string;
  /** Octal: 100644 of a file, 100755 of one that can be run, 120000 of a link, 160000 of a submodule. */
  readonly mode: string;
}

/** A path with its sides, at most one of each stage. */
export interface Unmerged {
  readonly path: string;
  readonly stages: readonly Stage[];
}

const LINE = /^(\d{6}) ([0-9a-f]+) ([123])\t(.+)$/s;
const STAGES: Readonly<Record<string, Stage['stage']>> = { '1': 1, '2': 2, '3': 3 };

/** The output of `git ls-files --unmerged -z`, by path. */
export function parseUnmerged(stdout: Buffer): readonly Unmerged[] {
  const { text, name } = decode(stdout);
  const files = new Map<string, Stage[]>();
  for (const line of endedFields(text)) {
    const [, mode, oid, stage, given] = LINE.exec(line) ?? [];
    if (mode === undefined || oid === undefined || given === undefined) continue;
    const path = name(given);
    files.set(path, [...(files.get(path) ?? []), { stage: STAGES[stage ?? ''] ?? 3, oid, mode }]);
  }
  return [...files].map(([path, stages]) => ({ path, stages }));
}
