import { decodeOutput, splitTextFields } from './fields.ts';

/** A work tree of a repository. */
export interface ListedWorktree {
  /** Path as recorded by git. */
  readonly path: string;
  /** Commit of HEAD; `undefined` for a bare repository, and before the first commit. */
  readonly oid: string | undefined;
  /** Short name of the branch; `undefined` for a bare repository, and on a detached HEAD. */
  readonly branch: string | undefined;
  readonly bare: boolean;
  /** Reason for the lock, empty if no reason was given; `undefined` if the work tree is not locked. */
  readonly locked: string | undefined;
  /** Reason why the work tree can be pruned; `undefined` if it cannot be pruned. */
  readonly prunable: string | undefined;
}

const NO_OID = /^0+$/;

/** Parses the output of `git worktree list --porcelain -z`, the main work tree first. */
export function parseWorktrees(stdout: Buffer): readonly ListedWorktree[] {
  const { text, name, words } = decodeOutput(stdout);
  const found: Map<string, string>[] = [];
  for (const field of splitTextFields(text)) {
    const [, key = field, value = ''] = /^(\S+) (.*)$/s.exec(field) ?? [];
    if (key === 'worktree') found.push(new Map());
    found.at(-1)?.set(key, key === 'locked' || key === 'prunable' ? words(value) : name(value));
  }
  return found.map(toWorktree);
}

function toWorktree(facts: ReadonlyMap<string, string>): ListedWorktree {
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
