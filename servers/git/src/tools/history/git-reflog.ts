import { Integer, ListOf, Result, Text, ToolError, escapeInvisible } from '@org/mcp-decorators';
import { takeFittingItems } from '@org/mcp-host';

import { decodeTexts, groupFields } from '../../repository/parse/fields.ts';
import { findRefName, resolveCommit } from '../../repository/refs/revision.ts';
import type { Repository } from '../../repository/repository.ts';
import { cutSubject } from '../../text/cut.ts';
import { shortOid } from '../../text/format.ts';
import { redactSecrets } from '../../text/redact.ts';
import { quoteInput } from '../../text/visible.ts';
import { parseSkip, requireWithin } from '../inputs/list-page.ts';
import { RepositoryInput } from '../inputs/repository-input.ts';
import { formatMore } from '../results/result-text.ts';

export class GitReflogInput extends RepositoryInput {
  @Text('HEAD (default) or a branch') ref = 'HEAD';
  @Integer('Maximum number of entries', { min: 1 }) max_count = 20;
  @Text('next_cursor of the previous page', { optional: true }) cursor?: string;
}

export class ReflogEntry {
  @Text('Revision such as HEAD@{1}; valid until the reference changes again') selector!: string;
  @Text() oid!: string;
  @Text('ISO 8601') date!: string;
  @Text() message!: string;
}

/** A page of the reflog, newest entry first. */
export class ReflogPage {
  @ListOf(() => ReflogEntry) entries!: ReflogEntry[];
  @Text('Absent on the last page', { optional: true }) next_cursor?: string;
}

const FORMAT = '%H%x00%gd%x00%gs';
const FIELDS = 3;

/**
 * Returns a page of the reflog with at most `maxCommits` entries and `maxBytes` bytes. Passwords in URLs are redacted.
 *
 * @throws ToolError INVALID_REVISION, EMPTY_REPO, INVALID_ARGUMENTS
 */
export async function gitReflog(repository: Repository, input: GitReflogInput): Promise<Result> {
  const ref = await resolveReference(repository, input.ref);
  const skip = parseSkip(input.cursor);
  const count = Math.min(input.max_count, repository.limits.maxCommits);
  const command = ['log', '--walk-reflogs', '-z', '--no-show-signature', '--no-color', '--date=iso-strict', `--format=${FORMAT}`];
  const range = [`--max-count=${count + 1}`, `--skip=${skip}`, ref, '--'];
  const { stdout } = await repository.read([...command, ...range]);
  const found = groupFields(decodeTexts(stdout), FIELDS).map(([oid = '', dated = '', message = ''], position) => ({
    selector: `${input.ref}@{${skip + position}}`,
    oid,
    date: dated.endsWith('}') ? dated.slice(dated.indexOf('@{') + 2, -1) : '',
    message: cutSubject(redactSecrets(message)),
  }));
  requireWithin(skip, skip + found.length);
  const entries = takeFittingItems(found.slice(0, count), repository.limits.maxBytes);
  return formatReflog({ entries, ...(found.length > entries.length && { next_cursor: String(skip + entries.length) }) });
}

/** Returns `HEAD` or the full name of a reference, which git cannot read as an option. */
async function resolveReference(repository: Repository, given: string): Promise<string> {
  await resolveCommit(repository, given);
  const name = given === 'HEAD' ? given : await findRefName(repository, given);
  if (name !== undefined) return name;
  throw new ToolError('INVALID_REVISION', `${quoteInput(given)} names a commit, but only references have a reflog`, {
    hint: 'use HEAD or the name of a branch',
  });
}

function formatReflog(page: ReflogPage): Result {
  const lines = page.entries.map(
    ({ selector, oid, date, message }) => `${escapeInvisible(selector)} ${shortOid(oid)} ${date} ${escapeInvisible(message)}`,
  );
  if (page.next_cursor !== undefined) lines.push(formatMore(page.next_cursor));
  return Result.of(page, lines.length === 0 ? 'The reference has no reflog' : lines.join('\n'));
}
