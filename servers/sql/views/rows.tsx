import type { RowsPage, ViewedRows } from '@org/mcp-sql';
import {
  ActionButton,
  count,
  Outcome,
  showView,
  structureOf,
  textOf,
  useActions,
  viewDataOf,
  visible,
  type Actions,
  type ToolResult,
  type ViewProps,
} from '@org/mcp-views';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { copyText } from './parts/copy-text.ts';
import { Grid } from './parts/grid.tsx';
import { Plot } from './parts/plot.tsx';
import { toCsv, toTabs, type Column, type Row } from './parts/values.ts';

/** Number of rows that are read at a time. */
const PAGE = 1000;

/** The rows that were read so far. */
interface Loaded {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  readonly facts: Partial<RowsPage>;
  readonly tools: readonly string[];
}

showView('mcp-sql-rows', Rows);

function Rows({ client, input, result }: ViewProps): VNode {
  const actions = useActions();
  const [loaded, setLoaded] = useState<Loaded | undefined>(() => readRows(result));
  const [filter, setFilter] = useState('');
  const [isPlot, setPlot] = useState(false);
  if (loaded === undefined) return <pre class="code">{visible(textOf(result))}</pre>;
  const { columns, rows, facts, tools } = loaded;
  const database = typeof input['database'] === 'string' ? { database: input['database'] } : {};
  const { handle, next_offset, total_rows } = facts;
  const more = async (): Promise<string> => {
    const page = readRows(await client.call('fetch_result', { ...database, handle, offset: next_offset, max_rows: PAGE }));
    if (page !== undefined) setLoaded({ ...page, rows: [...rows, ...page.rows] });
    return `Read ${count(page?.rows.length ?? 0, 'more row')}.`;
  };
  const keep = async (): Promise<string> => {
    const page = readRows(await client.call('query', { ...input, keep: true, max_rows: PAGE }));
    if (page !== undefined) setLoaded(page);
    return `Read ${count(page?.rows.length ?? 0, 'row')} again; the result is stored.`;
  };
  const shown =
    filter === '' ? rows : rows.filter((row) => row.some((value) => value?.toLowerCase().includes(filter.toLowerCase())));
  const exporting = tools.includes('export') && (handle !== undefined || typeof input['sql'] === 'string');
  return (
    <>
      <div class="row">
        <h1 class="grow">
          {count(shown.length, 'row')}
          <span class="quiet">
            {filter !== '' && ` of ${rows.length}`}
            {total_rows !== undefined && total_rows > rows.length && `, ${count(total_rows, 'row')} in the result`}
            {facts.truncated !== undefined && total_rows === undefined && ', more rows exist'}
          </span>
        </h1>
        <label>
          Filter <input type="search" value={filter} onInput={({ currentTarget }) => setFilter(currentTarget.value)} />
        </label>
        <button type="button" aria-pressed={isPlot} onClick={() => setPlot(!isPlot)}>
          Plot
        </button>
      </div>
      {isPlot && <Plot columns={columns} rows={shown} />}
      <Grid columns={columns} rows={shown} label="Rows of the result" />
      <div class="row">
        {next_offset !== undefined && tools.includes('fetch_result') && (
          <ActionButton actions={actions} onRun={more}>
            Read more rows
          </ActionButton>
        )}
        {facts.truncated !== undefined && handle === undefined && tools.includes('query') && typeof input['sql'] === 'string' && (
          <ActionButton actions={actions} onRun={keep}>
            Run again and store all rows
          </ActionButton>
        )}
        <Saving client={client} actions={actions} columns={columns} rows={shown} />
        {exporting && (
          <ActionButton
            actions={actions}
            onRun={() => exportAll(client, handle === undefined ? pickStatement(input) : { ...database, handle })}
          >
            Export all rows
          </ActionButton>
        )}
      </div>
      <Outcome actions={actions} />
    </>
  );
}

/** Reads the rows of a result. Returns `undefined` for a result without rows, and for rows that are too large for a view. */
function readRows(result: ToolResult): Loaded | undefined {
  const { columns, rows, tools } = viewDataOf<ViewedRows>(result);
  if (columns === undefined || rows === undefined) return undefined;
  return { columns, rows, tools, facts: { ...result._meta, ...structureOf<RowsPage>(result) } };
}

function pickStatement({ sql, params, database }: ViewProps['input']): object {
  return { sql, ...(params !== undefined && { params }), ...(database !== undefined && { database }) };
}

async function exportAll(client: ViewProps['client'], what: object): Promise<string> {
  const {
    rows = 0,
    path,
    uri,
  } = structureOf<{ readonly rows: number; readonly path: string; readonly uri: string }>(
    await client.call('export', { ...what, format: 'csv' }),
  );
  return `Exported ${count(rows, 'row')} to ${path ?? uri ?? 'a file'}.`;
}

interface SavingProps {
  readonly client: ViewProps['client'];
  readonly actions: Actions;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

function Saving({ client, actions, columns, rows }: SavingProps): VNode {
  const copy = async (): Promise<string> => {
    await copyText(toTabs(columns, rows));
    return `Copied ${count(rows.length, 'row')}.`;
  };
  const save = async (): Promise<string> => {
    await client.download('rows.csv', 'text/csv', toCsv(columns, rows));
    return `Saved ${count(rows.length, 'row')}.`;
  };
  return (
    <>
      <ActionButton actions={actions} onRun={copy}>
        Copy rows
      </ActionButton>
      {client.canDownload && (
        <ActionButton actions={actions} onRun={save}>
          Save rows as CSV
        </ActionButton>
      )}
    </>
  );
}
