import type { ChangedFile, RepositoryStatus, ViewedHunk } from '@org/mcp-git';
import {
  ActionButton,
  count,
  Outcome,
  showView,
  structureOf,
  useActions,
  viewDataOf,
  visibleName,
  type Client,
  type ToolResult,
  type ViewProps,
} from '@org/mcp-views';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { StatusFile, type Side, type StatusActions } from './parts/status-file.tsx';

interface Shown {
  readonly status: Partial<RepositoryStatus>;
  readonly hunks: Readonly<Record<Side, readonly ViewedHunk[]>>;
  readonly tools: readonly string[];
  /**
   * Whether the view has read the status. Before that, `status` comes from the result of the tool that opened the view, which may
   * be another tool.
   */
  readonly isLoaded: boolean;
}

/** Maximum number of pages that the view reads of the files, and of the hunks of each side. */
const MAX_PAGES = 20;

showView('mcp-git-status', Status, { needsCalls: true });

function Status({ client, input, result }: ViewProps): VNode {
  const actions = useActions();
  const { repo_path } = input;
  const where = typeof repo_path === 'string' ? { repo_path } : {};
  const [shown, setShown] = useState<Shown>({
    status: structureOf<RepositoryStatus>(result),
    hunks: { staged: [], unstaged: [] },
    tools: viewDataOf(result).tools,
    isLoaded: false,
  });
  const { tools } = shown;
  const readHunks = async (staged: boolean): Promise<readonly ViewedHunk[]> => {
    if (!tools.includes('git_hunks')) return [];
    const pages = await readPages(client, 'git_hunks', { ...where, staged });
    return pages.flatMap((page) => viewDataOf<{ readonly hunks: readonly ViewedHunk[] }>(page).hunks ?? []);
  };
  const reload = async (): Promise<void> => {
    const pages = await readPages(client, 'git_status', where);
    const [staged, unstaged] = [await readHunks(true), await readHunks(false)];
    const entries = pages.flatMap((page) => structureOf<RepositoryStatus>(page).entries ?? []);
    const last = pages.at(-1) ?? result;
    const status = { ...structureOf<RepositoryStatus>(last), entries };
    setShown({ status, hunks: { staged, unstaged }, tools: viewDataOf(last).tools, isLoaded: true });
  };
  useEffect(() => actions.run(reload), []);
  const change: StatusActions['change'] = async (tool, args, done) => {
    await client.call(tool, { ...where, ...args });
    await reload();
    client.informModel(`In the view of the status, the user ${done}.`);
    return `Done: ${done}.`;
  };
  const { entries = [], branch, ahead = 0, behind = 0, operation } = shown.status;
  return (
    <>
      <div class="row">
        <h1 class="grow">
          {branch === undefined ? 'No branch' : visibleName(branch)}{' '}
          <span class="quiet">
            {ahead > 0 && `${count(ahead, 'commit')} ahead `}
            {behind > 0 && `${count(behind, 'commit')} behind `}
            {operation !== undefined && `${visibleName(operation)} in progress`}
          </span>
        </h1>
        <ActionButton actions={actions} onRun={reload}>
          Refresh
        </ActionButton>
      </div>
      <Outcome actions={actions} />
      {shown.status.next_cursor !== undefined && <p>More files have changed than are shown.</p>}
      {shown.isLoaded && entries.length === 0 && <p>No files have changed.</p>}
      <Group title="Conflicts" side="unstaged" entries={entries.filter(isConflict)} shown={shown} status={{ actions, change }} />
      <Group
        title="Staged"
        side="staged"
        entries={entries.filter(({ staged }) => staged !== undefined)}
        shown={shown}
        status={{ actions, change }}
      />
      <Group title="Not staged" side="unstaged" entries={entries.filter(isUnstaged)} shown={shown} status={{ actions, change }} />
    </>
  );
}

/** Reads the pages of a tool, at most {@link MAX_PAGES}. */
async function readPages(client: Client, tool: string, input: object): Promise<readonly ToolResult[]> {
  const pages: ToolResult[] = [];
  let cursor: unknown;
  do {
    const page = await client.call(tool, { ...input, ...(cursor !== undefined && { cursor }) });
    pages.push(page);
    cursor = structureOf<{ readonly next_cursor: string }>(page).next_cursor ?? page._meta?.['next_cursor'];
  } while (cursor !== undefined && pages.length < MAX_PAGES);
  return pages;
}

function isConflict({ conflict }: ChangedFile): boolean {
  return conflict === true;
}

function isUnstaged({ unstaged, untracked, conflict }: ChangedFile): boolean {
  return conflict !== true && (unstaged !== undefined || untracked === true);
}

interface GroupProps {
  readonly title: string;
  readonly side: Side;
  readonly entries: readonly ChangedFile[];
  readonly shown: Shown;
  readonly status: StatusActions;
}

function Group({ title, side, entries, shown: { hunks, tools }, status }: GroupProps): VNode | null {
  if (entries.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2>
        {title} <span class="quiet">{count(entries.length, 'file')}</span>
      </h2>
      {entries.map((entry) => (
        <StatusFile
          key={entry.path}
          entry={entry}
          side={side}
          hunks={hunks[side].filter(({ path }) => path === entry.path)}
          tools={tools}
          status={status}
        />
      ))}
    </section>
  );
}
