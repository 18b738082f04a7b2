import { LOG_FORMAT, parseLog } from '../repository/parse/log.ts';
import type { Repository } from '../repository/repository.ts';
import { json } from '../resources/contents.ts';
import { gitUri } from '../text/git-uri.ts';
import type { Material } from './prompt-message.ts';

/** Which commits, by full object names. */
export interface CommitRange {
  /** Those that this one reaches are left out. */
  readonly after?: string | undefined;
  readonly upTo: string;
  /** Only this one's. */
  readonly author?: string | undefined;
  readonly most: number;
}

/** Commits, newest first, as a part of the log that begins with the last of them. */
export interface Commits extends Material {
  readonly count: number;
}

/** Reads commits, at most `maxBytes` of them; `_meta.truncated` says that there are more. */
export async function readCommits(repository: Repository, { after, upTo, author, most }: CommitRange): Promise<Commits> {
  const flags = ['--no-show-signature', '--no-color', '--encoding=UTF-8', `--format=${LOG_FORMAT}`, `--max-count=${most + 1}`];
  const by = author === undefined ? [] : ['--fixed-strings', `--author=${author}`];
  const range = [upTo, ...(after === undefined ? [] : [`^${after}`])];
  const { maxBytes } = repository.limits;
  const { stdout, truncated } = await repository.read(['log', '-z', ...flags, ...by, ...range, '--'], { maxBytes });
  const found = parseLog(stdout);
  const commits = found.slice(0, most).map(({ committed: _, ...commit }) => commit);
  const isCut = truncated || found.length > most;
  return {
    uri: `${gitUri(repository.id, 'log')}?rev=${upTo}`,
    contents: { ...json({ commits }), _meta: { truncated: isCut } },
    count: commits.length,
  };
}
