import { decodeOutput, splitTextFields } from './fields.ts';

/** One stage of a file in the index. */
interface Stage {
  /** 0: no conflict, 1: common ancestor, 2: ours, 3: theirs. */
  readonly stage: 0 | 1 | 2 | 3;
  readonly oid: string;
  /** Octal mode: 100644 file, 100755 executable file, 120000 link, 160000 submodule. */
  readonly mode: string;
}

/** A file, with at most one entry per stage. In the index, a file without a conflict has only the stage 0. */
export interface UnmergedFile {
  readonly path: string;
  readonly stages: readonly Stage[];
}

const LINE = /^(\d{6}) ([0-9a-f]+) ([0-3])\t(.+)$/s;
const STAGES: Readonly<Record<string, Stage['stage']>> = { '0': 0, '1': 1, '2': 2, '3': 3 };

/** Parses the output of `git ls-files -z` with `--unmerged`, `--resolve-undo` or `--stage`. */
export function parseUnmerged(stdout: Buffer): readonly UnmergedFile[] {
  const { text, name } = decodeOutput(stdout);
  const files = new Map<string, Stage[]>();
  for (const line of splitTextFields(text)) {
    const [, mode, oid, stage, given] = LINE.exec(line) ?? [];
    if (mode === undefined || oid === undefined || given === undefined) continue;
    const path = name(given);
    files.set(path, [...(files.get(path) ?? []), { stage: STAGES[stage ?? ''] ?? 3, oid, mode }]);
  }
  return [...files].map(([path, stages]) => ({ path, stages }));
}
