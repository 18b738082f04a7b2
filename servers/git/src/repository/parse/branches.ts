import { cutSubject } from '../../text/cut-subject.ts';
import { decode, referenceRecords } from './fields.ts';

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
  return referenceRecords(text, FIELDS).flatMap(([ref = '', oid = '', head = '', upstream = '', symbolic = '', subject = '']) => {
    if (symbolic !== '') return [];
    const full = name(ref);
    return {
      name: full.replace(/^refs\/(?:heads|remotes)\//, ''),
      remote: full.startsWith('refs/remotes/'),
      oid,
      current: head === '*',
      upstream: upstream === '' ? undefined : name(upstream),
      subject: cutSubject(words(subject)),
    };
  });
}
