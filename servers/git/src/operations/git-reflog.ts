import { Integer, ListOf, Text, ToolError } from '@org/mcp-decorators';
import { firstThatFit } from '@org/mcp-host';

import { decodeWords, records } from '../repository/parse/fields.ts';
import { symbolicName } from '../repository/ref-name.ts';
import type { Repository } from '../repository/repository.ts';
import { resolveCommit } from '../repository/revision.ts';
import { redacted } from '../text/redacted.ts';
import { quoted } from '../text/visible.ts';
import { requireWithin, skipOf } from './list-page.ts';
import { RepositoryInput } from './repository-input.ts';
import { cutSubject } from '../text/cut-subject.ts';

export class GitReflogInput extends RepositoryInput {
  @Text('HEAD or a branch') ref = 'HEAD';
  @Integer({ min: 1 }) max_count = 20;
  @Text('Previous next_cursor', { optional: true }) cursor?: string;
}

export class ReflogEntry {
  @Text('Names it until the next change, such as HEAD@{1}') selector!: string;
  @Text() oid!: string;
  @Text('ISO 8601') date!: string;
  @Text() message!: string;
}

/** Where a reference was, the latest first. */
export class ReflogPage {
  @ListOf(() => ReflogEntry) entries!: ReflogEntry[];
  @Text('Absent on the last page', { optional: true }) next_cursor?: string;
}

const FORMAT = '%H%x00%gd%x00%gs';
const FIELDS = 3;

/**
 * What a reference named before, at most `maxCommits` entries in `maxBytes`; passwords in URLs are left out.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO, INVALID_ARGUMENTS
 */
export async function gitReflog(repository: Repository, input: GitReflogInput): Promise<ReflogPage> {
  const ref = await referenceOf(repository, input.ref);
  const skip = skipOf(input.cursor);
  const count = Math.min(input.max_count, repository.limits.maxCommits);
  const command = ['log', '--walk-reflogs', '-z', '--no-show-signature', '--no-color', '--date=iso-strict', `--format=${FORMAT}`];
  const range = [`--max-count=${count + 1}`, `--skip=${skip}`, ref, '--'];
  const { stdout } = await repository.read([...command, ...range]);
  const found = records(decodeWords(stdout), FIELDS).map(([oid = '', dated = '', message = ''], position) => ({
    selector: `${input.ref}@{${skip + position}}`,
    oid,
    date: dated.endsWith('}') ? dated.slice(dated.indexOf('@{') + 2, -1) : '',
    message: cutSubject(redacted(message)),
  }));
  requireWithin(skip, skip + found.length);
  const entries = firstThatFit(found.slice(0, count), repository.limits.maxBytes);
  return { entries, ...(found.length > entries.length && { next_cursor: String(skip + entries.length) }) };
}

/** HEAD, or the full name of a reference: neither is an option, whatever it is called. */
async function referenceOf(repository: Repository, given: string): Promise<string> {
  await resolveCommit(repository, given);
  const name = given === 'HEAD' ? given : await symbolicName(repository, given);
  if (name !== undefined) return name;
  throw new ToolError('INVALID_REVISION', `${quoted(given)} names a commit, and only references have a log`, {
    hint: 'HEAD, or the name of a branch',
  });
}
