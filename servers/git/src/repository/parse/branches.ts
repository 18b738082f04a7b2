import { decode, records } from './fields.ts';

export const BRANCH_FORMAT: string = ['refname', 'objectname', 'HEAD', 'upstream:short', 'symref', 'contents:subject']
  .map((atom) => `%(${atom})%00`)
  .join('');
const FIELDS = 6;

/** A branch, local or remote. */
export interface ListedBranch {
  /** `main`, `origin/main`. */
  readonly name: string;
  readonly remote: boolean;
  readonly oid: string;
  readonly current: boolean;
  readonly upstream: string | undefined;
  readonly subject: string;
}

/** The output of `git for-each-ref --format=`{@link BRANCH_FORMAT}; symbolic ones such as `origin/HEAD` are left out. */
export function parseBranches(stdout: Buffer): readonly ListedBranch[] {
  const { text, name, words } = decode(stdout);
  return records(text.split('\0').slice(0, -1), FIELDS).flatMap(
    ([ref = '', oid = '', head = '', upstream = '', symbolic = '', subject = '']) => {
      if (symbolic !== '') return [];
      // git ends each record with a newline, which then stands before the next one's first field.
      const full = name(ref.replace(/^\n/, ''));
      return {
        name: full.replace(/^refs\/(?:heads|remotes)\//, ''),
        remote: full.startsWith('refs/remotes/'),
        oid,
        current: head === '*',
        upstream: upstream === '' ? undefined : name(upstream),
        subject: words(subject),
      };
    },
  );
}
