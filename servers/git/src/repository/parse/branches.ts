import { cutSubject } from '../../text/cut.ts';
import { decodeOutput } from './fields.ts';
import { parseReferenceRecords } from './references.ts';

export const BRANCH_FORMAT: string = ['refname', 'objectname', 'HEAD', 'upstream:short', 'symref', 'contents:subject']
  .map((atom) => `%(${atom})%00`)
  .join('');
const FIELDS = 6;

/** A local or remote-tracking branch. */
export interface ListedBranch {
  /** Short name, such as `main` or `origin/main`. */
  readonly name: string;
  readonly remote: boolean;
  readonly oid: string;
  readonly current: boolean;
  readonly upstream: string | undefined;
  readonly subject: string;
}

/**
 * Parses the output of `git for-each-ref --format=`{@link BRANCH_FORMAT}. Symbolic references such as `origin/HEAD` are omitted.
 */
export function parseBranches(stdout: Buffer): readonly ListedBranch[] {
  const { text, name, words } = decodeOutput(stdout);
  return parseReferenceRecords(text, FIELDS).flatMap(
    ([ref = '', oid = '', head = '', upstream = '', symbolic = '', subject = '']) => {
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
    },
  );
}
