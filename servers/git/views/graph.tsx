import type { ViewedCommit } from '@org/mcp-git';
import {
  ActionButton,
  count,
  DiffPages,
  Outcome,
  showView,
  useActions,
  viewDataOf,
  visibleName,
  type ToolResult,
  type ViewProps,
} from '@org/mcp-views';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { assignLanes, COLORS, type CommitLanes } from './parts/lanes.ts';

/** Width of a lane and height of a row, in pixels. */
const LANE = 14;
const ROW = 28;
const PAGE = 50;

interface Shown {
  readonly commits: readonly ViewedCommit[];
  readonly cursor?: string | undefined;
}

showView('mcp-git-graph', Graph, { needsCalls: true });

function Graph({ client, input, result }: ViewProps): VNode {
  const actions = useActions();
  const { repo_path } = input;
  const where = typeof repo_path === 'string' ? { repo_path } : {};
  const [shown, setShown] = useState<Shown>({ commits: [] });
  const [selected, setSelected] = useState<string>();
  const { tools } = viewDataOf(result);
  const load = async (cursor?: string): Promise<void> => {
    const page = await client.call('git_graph', { ...where, max_count: PAGE, ...(cursor !== undefined && { cursor }) });
    const { commits = [] } = viewDataOf<{ readonly commits: readonly ViewedCommit[] }>(page);
    const next = page._meta?.['next_cursor'];
    setShown((known) => ({
      commits: cursor === undefined ? commits : [...known.commits, ...commits],
      cursor: typeof next === 'string' ? next : undefined,
    }));
  };
  useEffect(() => {
    if (tools.includes('git_graph')) actions.run(() => load());
  }, []);
  const rows = assignLanes(shown.commits);
  const lanes = Math.max(1, ...rows.map(({ width }) => width));
  return (
    <>
      <div class="row">
        <h1 class="grow">Graph of commits</h1>
        <ActionButton actions={actions} onRun={() => load()} isDisabled={!tools.includes('git_graph')}>
          Refresh
        </ActionButton>
      </div>
      <Outcome actions={actions} />
      {!tools.includes('git_graph') && <p>This server does not offer git_graph, so the graph cannot be read.</p>}
      <ol class="commits" aria-label={count(rows.length, 'commit')}>
        {rows.map((row) => (
          <li key={row.commit.oid}>
            <Row
              row={row}
              width={lanes * LANE}
              isSelected={row.commit.oid === selected}
              onSelect={() => setSelected(row.commit.oid === selected ? undefined : row.commit.oid)}
            />
            {row.commit.oid === selected && tools.includes('git_show') && <Commit client={client} where={where} oid={selected} />}
          </li>
        ))}
      </ol>
      {shown.cursor !== undefined && (
        <ActionButton actions={actions} onRun={() => load(shown.cursor)}>
          Show earlier commits
        </ActionButton>
      )}
    </>
  );
}

interface RowProps {
  readonly row: CommitLanes;
  readonly width: number;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
}

function Row({ row, width, isSelected, onSelect }: RowProps): VNode {
  const { oid, subject, author, date, refs, parents } = row.commit;
  return (
    <button type="button" class="commit" aria-expanded={isSelected} onClick={onSelect}>
      <Lanes row={row} width={width} />
      <span class="text">
        {refs.map((ref) => (
          <span key={ref} class="ref name">
            {visibleName(ref)}
          </span>
        ))}
        <span class="subject name">{visibleName(subject)}</span>
        <span class="quiet">
          <span class="name">{oid.slice(0, 7)}</span> {visibleName(author)}, {date}
          {parents.length > 1 && (
            <span class="only-read">, merge of {parents.map((parent) => parent.slice(0, 7)).join(' and ')}</span>
          )}
        </span>
      </span>
    </button>
  );
}

function Lanes({ row: { lane, above, below }, width }: Pick<RowProps, 'row' | 'width'>): VNode {
  const x = (index: number): number => index * LANE + LANE / 2;
  const color = (index: number): string => COLORS[index % COLORS.length] ?? '';
  const curve = (from: number, to: number, start: number, end: number): string => {
    const middle = (start + end) / 2;
    return `M${x(from)} ${start}C${x(from)} ${middle} ${x(to)} ${middle} ${x(to)} ${end}`;
  };
  return (
    <svg width={width} height={ROW} viewBox={`0 0 ${width} ${ROW}`} aria-hidden="true" preserveAspectRatio="none">
      {above.map(([from, to]) => (
        <path key={`a${from}-${to}`} d={curve(from, to, 0, ROW / 2)} stroke={color(Math.max(from, to))} />
      ))}
      {below.map(([from, to]) => (
        <path key={`b${from}-${to}`} d={curve(from, to, ROW / 2, ROW)} stroke={color(Math.max(from, to))} />
      ))}
      <circle cx={x(lane)} cy={ROW / 2} r="4" fill={color(lane)} />
    </svg>
  );
}

interface CommitProps {
  readonly client: ViewProps['client'];
  readonly where: object;
  readonly oid: string;
}

function Commit({ client, where, oid }: CommitProps): VNode {
  const actions = useActions();
  const [result, setResult] = useState<ToolResult>();
  const input = { ...where, revision: oid };
  useEffect(() => actions.run(async () => setResult(await client.call('git_show', input))), [oid]);
  return (
    <div class="opened">
      <Outcome actions={actions} />
      {result !== undefined && <DiffPages client={client} tool="git_show" input={input} result={result} />}
    </div>
  );
}
