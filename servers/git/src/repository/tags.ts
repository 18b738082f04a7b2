import { nearest, ToolError, visibleName } from '@org/mcp-decorators';

import { cutSubject } from '../text/cut-subject.ts';
import { quoted } from '../text/visible.ts';
import { decode, referenceRecords } from './parse/fields.ts';
import type { Repository } from './repository.ts';

const FORMAT = ['refname:strip=2', 'objectname', 'objecttype', '*objectname', 'creatordate:iso-strict', 'contents:subject']
  .map((atom) => `%(${atom})%00`)
  .join('');
const FIELDS = 6;

/** A tag, with a message of its own or without. */
export interface ListedTag {
  readonly name: string;
  /** Of the tag; of what it names, where it has no message. */
  readonly oid: string;
  /** What it names. */
  readonly target: string;
  readonly annotated: boolean;
  /** ISO 8601. */
  readonly date: string;
  readonly subject: string;
}

/** All tags, or those that match one full reference name; the newest first. */
export async function listTags(repository: Repository, filters: readonly string[] = []): Promise<readonly ListedTag[]> {
  const command = ['for-each-ref', `--format=${FORMAT}`, '--sort=refname', '--sort=-creatordate', ...filters, 'refs/tags'];
  const { stdout } = await repository.read(command);
  const { text, name, words } = decode(stdout);
  return referenceRecords(text, FIELDS).map(([tag = '', oid = '', type = '', peeled = '', date = '', subject = '']) => ({
    name: name(tag),
    oid,
    target: peeled === '' ? oid : peeled,
    annotated: type === 'tag',
    date,
    subject: cutSubject(words(subject)),
  }));
}

/** @throws ToolError INVALID_REVISION with the nearest name */
export async function requireTag(repository: Repository, name: string): Promise<ListedTag> {
  const tags = await listTags(repository);
  const tag = tags.find((each) => each.name === name);
  if (tag !== undefined) return tag;
  const near = nearest(
    name,
    tags.map((each) => each.name),
  );
  throw new ToolError('INVALID_REVISION', `there is no tag ${quoted(name)}`, {
    ...(near !== undefined && { hint: `did you mean ${visibleName(near)}?` }),
  });
}
