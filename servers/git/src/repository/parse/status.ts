import { decodeOutput } from './fields.ts';

/** Kinds of changes of a file, in the index or in the work tree. */
const CHANGES = ['added', 'modified', 'deleted', 'renamed', 'copied', 'type changed'] as const;

export type Change = (typeof CHANGES)[number];

/** A file in a status. */
export interface StatusEntry {
  /** Path relative to the top of the work tree, with `/` as the separator. */
  readonly path: string;
  /** Path before a rename. */
  readonly original_path?: string;
  readonly staged?: Change;
  readonly unstaged?: Change;
  readonly untracked?: true;
  readonly conflict?: true;
  /** Commit in the index, for a submodule whose checked-out commit differs from this commit. */
  readonly submodule?: string;
}

/** The output of `git status --porcelain=v2 -z --branch`. */
export interface Status {
  /** Short name of the current branch; `undefined` on a detached HEAD. */
  readonly branch: string | undefined;
  /** Object name of the current commit; `undefined` before the first commit. */
  readonly oid: string | undefined;
  readonly upstream: string | undefined;
  readonly ahead: number | undefined;
  readonly behind: number | undefined;
  readonly entries: readonly StatusEntry[];
}

/** Kinds of changes by the letter that git writes for each kind. */
export const CHANGE_LETTERS: Readonly<Record<string, Change>> = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  T: 'type changed',
};

/** Number of space-separated fields before the path, by the first character of the line. */
const FIELDS_BEFORE_PATH: Readonly<Record<string, number>> = { '1': 8, '2': 9, u: 10, '?': 1, '!': 1 };

const CHANGED_SUBMODULE = /^[12] .M SC\S+(?: \d{6}){3} [0-9a-f]+ ([0-9a-f]+) /;

export function parseStatus(stdout: Buffer): Status {
  const { text, name: spelled } = decodeOutput(stdout);
  const lines = text.split('\0').values();
  const headers = new Map<string, string>();
  const entries: StatusEntry[] = [];
  for (const line of lines) {
    const [, name, value] = /^# (branch\.\S+) (.*)$/s.exec(line) ?? [];
    if (name !== undefined && value !== undefined) headers.set(name, spelled(value));
    else if (line !== '') entries.push(parseEntry(line, { spelled, next: () => lines.next().value }));
  }
  return { ...parseHead(headers), entries };
}

function parseHead(headers: ReadonlyMap<string, string>): Omit<Status, 'entries'> {
  const branch = headers.get('branch.head');
  const oid = headers.get('branch.oid');
  const [, ahead, behind] = /^\+(\d+) -(\d+)$/.exec(headers.get('branch.ab') ?? '') ?? [];
  return {
    branch: branch === '(detached)' ? undefined : branch,
    oid: oid === '(initial)' ? undefined : oid,
    upstream: headers.get('branch.upstream'),
    ahead: ahead === undefined ? undefined : Number(ahead),
    behind: behind === undefined ? undefined : Number(behind),
  };
}

interface Names {
  readonly spelled: (part: string) => string;
  /** Takes the following field, which for a rename contains the original path. */
  readonly next: () => string | undefined;
}

function parseEntry(line: string, { spelled, next }: Names): StatusEntry {
  const kind = line.charAt(0);
  const path = spelled(skipFields(line, FIELDS_BEFORE_PATH[kind] ?? 1));
  if (kind === 'u') return { path, conflict: true };
  if (kind === '?' || kind === '!') return { path, untracked: true };
  const staged = CHANGE_LETTERS[line.charAt(2)];
  const unstaged = CHANGE_LETTERS[line.charAt(3)];
  const original = kind === '2' ? next() : undefined;
  return {
    path,
    ...(original !== undefined && { original_path: spelled(original) }),
    ...(staged !== undefined && { staged }),
    ...(unstaged !== undefined && { unstaged }),
    ...parseSubmodule(line),
  };
}

function parseSubmodule(line: string): Pick<StatusEntry, 'submodule'> {
  const [, submodule] = CHANGED_SUBMODULE.exec(line) ?? [];
  return submodule === undefined ? {} : { submodule };
}

function skipFields(line: string, count: number): string {
  let start = 0;
  for (let field = 0; field < count; field += 1) start = line.indexOf(' ', start) + 1;
  return line.slice(start);
}
