import { findNearestName, ToolError, escapeInvisible } from '@org/mcp-decorators';

import { cutSubject } from '../../text/cut.ts';
import { quoteInput } from '../../text/visible.ts';
import { decodeOutput } from '../parse/fields.ts';
import { parseReferenceRecords } from '../parse/references.ts';
import type { Repository } from '../repository.ts';

const FORMAT = ['refname:strip=2', 'objectname', 'objecttype', '*objectname', 'creatordate:iso-strict', 'contents:subject']
  .map((atom) => `%(${atom})%00`)
  .join('');
const FIELDS = 6;

/** An annotated or lightweight tag. */
export interface ListedTag {
  readonly name: string;
  /** Object name of the tag object; for a lightweight tag, of the tagged object. */
  readonly oid: string;
  /** Object name of the tagged object. */
  readonly target: string;
  readonly annotated: boolean;
  /** Date of an annotated tag, or committer date of the commit of a lightweight tag, in ISO 8601. */
  readonly date: string;
  readonly subject: string;
}

/** Lists the tags that match the given filters of `git for-each-ref`, newest first; by default all tags. */
export async function listTags(repository: Repository, filters: readonly string[] = []): Promise<readonly ListedTag[]> {
  const command = ['for-each-ref', `--format=${FORMAT}`, '--sort=refname', '--sort=-creatordate', ...filters, 'refs/tags'];
  const { stdout } = await repository.read(command);
  const { text, name, words } = decodeOutput(stdout);
  return parseReferenceRecords(text, FIELDS).map(([tag = '', oid = '', type = '', peeled = '', date = '', subject = '']) => ({
    name: name(tag),
    oid,
    target: peeled === '' ? oid : peeled,
    annotated: type === 'tag',
    date,
    subject: cutSubject(words(subject)),
  }));
}

/** @throws ToolError INVALID_REVISION with the most similar name */
export async function requireTag(repository: Repository, name: string): Promise<ListedTag> {
  const tags = await listTags(repository);
  const tag = tags.find((each) => each.name === name);
  if (tag !== undefined) return tag;
  const near = findNearestName(
    name,
    tags.map((each) => each.name),
  );
  throw new ToolError('INVALID_REVISION', `the tag ${quoteInput(name)} does not exist`, {
    ...(near !== undefined && { hint: `did you mean ${escapeInvisible(near)}?` }),
  });
}
