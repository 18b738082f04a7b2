import { LOG_FORMAT, parseLog } from '../../repository/parse/log.ts';
import type { Repository } from '../../repository/repository.ts';
import { formatGitUri } from '../../text/git-uri.ts';
import { jsonContents } from '../resources/contents.ts';
import type { Material } from './prompt-message.ts';

/** A range of commits. `after` and `upTo` are full object names. */
interface CommitRange {
  /** This commit and its ancestors are excluded. */
  readonly after?: string | undefined;
  readonly upTo: string;
  /** Restricts the range to commits whose author name or email contains this text. */
  readonly author?: string | undefined;
  readonly most: number;
}

/** A resource for a prompt that contains commits as JSON, newest first. */
export interface Commits extends Material {
  readonly count: number;
}

/** Reads at most `most` commits of a range, in at most `maxBytes` bytes. `_meta.truncated` is true if commits were omitted. */
export async function readCommits(repository: Repository, { after, upTo, author, most }: CommitRange): Promise<Commits> {
  const flags = ['--no-show-signature', '--no-color', '--encoding=UTF-8', `--format=${LOG_FORMAT}`, `--max-count=${most + 1}`];
  const by = author === undefined ? [] : ['--fixed-strings', `--author=${author}`];
  const range = [upTo, ...(after === undefined ? [] : [`^${after}`])];
  const { maxBytes } = repository.limits;
  const { stdout, isTruncated } = await repository.read(['log', '-z', ...flags, ...by, ...range, '--'], { maxBytes });
  const found = parseLog(stdout);
  const commits = found.slice(0, most).map(({ committed: _, ...commit }) => commit);
  const isCut = isTruncated || found.length > most;
  return {
    uri: `${formatGitUri(repository.id, 'log')}?rev=${upTo}`,
    contents: { ...jsonContents({ commits }), _meta: { truncated: isCut } },
    count: commits.length,
  };
}
