import type { Diagnosis } from '../server-object.ts';
import type { DirectoryOptions, RootsUse } from './directory-options.ts';

const EFFECTS: Readonly<Record<RootsUse, string>> = {
  narrow: "narrow: a client's roots narrow the directories; roots that overlap none of them exclude every path",
  overlap: "overlap: a client's roots narrow the directories; roots that overlap none of them change nothing",
  only: "only: a client's roots narrow the directories; a client without roots may use none of them",
  off: 'off: clients are not asked for their roots; the directories alone count',
};

/** What `check` says of the roots of clients: which `--roots` is in force, and what is missing without directories. */
export function diagnoseClientRoots({ roots }: Pick<DirectoryOptions, 'roots'>, directories: readonly unknown[]): Diagnosis {
  if (directories.length > 0) return { subject: 'roots', ok: true, detail: EFFECTS[roots] };
  const calls = roots === 'off' ? 'every call fails with ROOTS_REQUIRED' : 'only clients that name their roots can call';
  return { subject: 'roots', ok: false, detail: `no directories; ${calls}, and nothing is listed, completed or watched` };
}
