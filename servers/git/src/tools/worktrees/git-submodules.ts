import path from 'node:path';

import { Integer, ListOf, OneOf, Result, Text, escapeInvisible } from '@org/mcp-decorators';

import { readLooseChanges } from '../../repository/overlap/other-work.ts';
import type { CallScope, Repositories } from '../../repository/repositories.ts';
import type { Repository } from '../../repository/repository.ts';
import { requireWorkTree } from '../../repository/work-tree/paths.ts';
import { readRecordedSubmodules, type RecordedSubmodule } from '../../repository/work-tree/recorded-submodules.ts';
import { hasRepository, readSubmoduleCommit } from '../../repository/work-tree/submodules.ts';
import { redactSecrets } from '../../text/redact.ts';
import { shortOid } from '../../text/format.ts';
import { ListInput, listPage } from '../inputs/list-page.ts';
import { formatRest } from '../results/result-text.ts';
import { formatPath } from '../../repository/parse/path-bytes.ts';

export class GitSubmodulesInput extends ListInput {}

const STATES = ['same', 'differs', 'not initialized', 'unreadable'] as const;

export class Submodule {
  @Text() path!: string;
  @Text('Name in .gitmodules; absent without an entry there', { optional: true }) name?: string;
  @Text('URL in .gitmodules, without passwords', { optional: true }) url?: string;
  @Text('Commit in the index') recorded!: string;
  @Text({ optional: true }) checked_out?: string;
  @OneOf(STATES, 'Checked-out commit against the recorded commit; unreadable: no commit, or outside the allowed directories')
  state!: (typeof STATES)[number];
  @Integer('Number of uncommitted files; absent if the submodule cannot be opened', { optional: true }) changes?: number;
}

export class SubmoduleList {
  @ListOf(() => Submodule) submodules!: Submodule[];
  @Integer() total!: number;
  @Text({ optional: true }) next_cursor?: string;
}

/** The context in which submodules are opened and verified as repositories. */
interface SubmodulesCall {
  readonly repositories: Repositories;
  readonly scope: CallScope;
}

/** Placeholder for the number of changes, so that a page leaves room for nine digits before the changes are counted. */
const PLACEHOLDER = 999_999_999;

/**
 * Lists at most `maxEntries` submodules of the index and `maxBytes` bytes, without submodules of submodules. Uses no network.
 *
 * Uncommitted files are counted only in a submodule that the guard accepts as a repository of its own.
 *
 * @throws ToolError NO_WORK_TREE, TOO_LARGE, INVALID_ARGUMENTS if the cursor is unknown
 */
export async function gitSubmodules(repository: Repository, { cursor }: ListInput, call: SubmodulesCall): Promise<Result> {
  requireWorkTree(repository);
  const recorded = await readRecordedSubmodules(repository);
  const all = await Promise.all(recorded.map((each) => inspectSubmodule(repository, each)));
  const { maxEntries: most, maxBytes } = repository.limits;
  const { items, ...next } = listPage(
    all.map((each) => ({ ...each, changes: PLACEHOLDER })),
    { cursor, most, maxBytes },
  );
  const submodules: Submodule[] = [];
  for (const { changes: _, ...each } of items) submodules.push({ ...each, ...(await countChanges(repository, each, call)) });
  return formatSubmodules({ submodules, total: all.length, ...next });
}

async function inspectSubmodule(repository: Repository, submodule: RecordedSubmodule): Promise<Omit<Submodule, 'changes'>> {
  const { path: place, name, url, oid: recorded } = submodule;
  const isThere = await hasRepository(repository, place);
  const checkedOut = isThere ? await readSubmoduleCommit(repository, place) : undefined;
  const compared = checkedOut === recorded ? 'same' : 'differs';
  const missing = isThere ? 'unreadable' : 'not initialized';
  return {
    path: place,
    ...(name !== undefined && { name }),
    ...(url !== undefined && { url: redactSecrets(url) }),
    recorded,
    ...(checkedOut !== undefined && { checked_out: checkedOut }),
    state: checkedOut === undefined ? missing : compared,
  };
}

async function countChanges(
  { layout, shown }: Repository,
  { path: place, checked_out }: Pick<Submodule, 'path' | 'checked_out'>,
  { repositories, scope }: SubmodulesCall,
): Promise<Pick<Submodule, 'changes'>> {
  if (checked_out === undefined) return {};
  const opened = await repositories.open(path.join(shown, place), scope).catch(() => undefined);
  scope.signal.throwIfAborted();
  // The directory may be a part of another repository by now.
  if (opened?.layout.top !== path.join(layout.top, place)) return {};
  const { tracked, untracked } = await readLooseChanges(opened);
  return { changes: tracked.length + untracked.length };
}

function formatSubmodules(list: SubmoduleList): Result {
  const rest = list.next_cursor === undefined ? [] : [formatRest(list, list.submodules.length, 'submodules')];
  const lines = [...list.submodules.map(formatSubmodule), ...rest];
  return Result.of(list, lines.length === 0 ? 'No submodules found' : lines.join('\n'));
}

function formatSubmodule({ path: place, url, recorded, checked_out, state, changes }: Submodule): string {
  const at = state === 'differs' && checked_out !== undefined ? `, checked out ${shortOid(checked_out)}` : '';
  const words = changes === undefined || changes === 0 ? '' : `, uncommitted files: ${changes}`;
  const from = url === undefined ? '' : ` (${escapeInvisible(url)})`;
  return `${formatPath(place)} ${shortOid(recorded)} ${state}${at}${words}${from}`;
}
