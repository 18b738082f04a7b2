import { decode, endedFields } from './fields.ts';

/** One work tree of a repository. */
export interface ListedWorktree {
  /** As git keeps it. */
  readonly path: string;
  /** `undefined` of a bare repository, and before the first commit. */
  readonly oid: string | undefined;
  /** Short name; `undefined` on a detached HEAD. */
  readonly branch: string | undefined;
  readonly bare: boolean;
  /** Why it is locked, empty if no reason was given; `undefined` if it is not. */
  readonly locked: string | undefined;
  /** Why it can be pruned. */
  readonly prunable: string | undefined;
}

const NO_OID = /^0+$/;

/** The output of `git worktree list --porcelain -z`, the main one first. */
export function parseWorktrees(stdout: Buffer): readonly ListedWorktree[] {
  const { text, name, words } = decode(stdout);
  const found: Map<string, string>[] = [];
  for (const field of endedFields(text)) {
    const [, key = field, value = ''] = /^(\S+) (.*)$/s.exec(field) ?? [];
    if (key === 'worktree') found.push(new Map());
    found.at(-1)?.set(key, key === 'locked' || key === 'prunable' ? words(value) : name(value));
  }
  return found.map(worktreeOf);
}

function worktreeOf(facts: ReadonlyMap<string, string>): ListedWorktree {
  const oid = facts.get('HEAD');
  return {
    path: facts.get('worktree') ?? '',
    oid: oid === undefined || NO_OID.test(oid) ? undefined : oid,
    branch: facts.get('branch')?.replace(/^refs\/heads\//, ''),
    bare: facts.has('bare'),
    locked: facts.get('locked'),
    prunable: facts.get('prunable'),
  };
}
