import type { AffectedRow, ExecutedStatement, ViewedRows } from '@org/mcp-sql';
import {
  Confirmation,
  count,
  showView,
  structureOf,
  textOf,
  viewDataOf,
  visible,
  visibleName,
  type ToolResult,
  type ViewProps,
} from '@org/mcp-views';
import type { VNode } from 'preact';

import { Grid } from './parts/grid.tsx';

/** Facts about the effects of a statement, from its dry run. */
interface Effects {
  readonly affected?: number;
  readonly warnings?: readonly string[];
  readonly dependents?: readonly string[];
  /** Effects because of which the statement did not run. */
  readonly not_rehearsed?: readonly string[];
}

showView('mcp-sql-write', Write, { takesErrors: true });

function Write(props: ViewProps): VNode {
  const { sql } = props.input;
  return (
    <Confirmation {...props} done={(result) => <Done result={result} />} label={() => 'Run and commit the statement'}>
      {(_, result) => (
        <>
          {typeof sql === 'string' && <pre class="code statement">{visible(sql)}</pre>}
          <Preview result={result} />
        </>
      )}
    </Confirmation>
  );
}

function Preview({ result }: { readonly result: ToolResult }): VNode {
  const { affected, warnings = [], dependents = [], not_rehearsed = [] } = structureOf<Effects>(result);
  const { rows = [] } = viewDataOf<{ readonly rows: readonly AffectedRow[] }>(result);
  const columns = rows[0]?.columns ?? [];
  return (
    <>
      <ul class="warnings">
        {warnings.map((warning) => (
          <li key={warning}>{visible(warning)}</li>
        ))}
        {dependents.map((name) => (
          <li key={name}>
            Also drops <span class="name">{visibleName(name)}</span>
          </li>
        ))}
        {not_rehearsed.map((effect) => (
          <li key={effect}>The statement was not run for this preview, because it {visible(effect)}</li>
        ))}
      </ul>
      {affected !== undefined && (
        <h2>
          {count(affected, 'row')}{' '}
          <span class="quiet">{rows.length < affected && rows.length > 0 && `(shown: ${rows.length})`}</span>
        </h2>
      )}
      {rows.length > 0 && (
        <div class="scroll" tabIndex={0} role="region" aria-label="Affected rows">
          <table class="grid" aria-label="Affected rows">
            <thead>
              <tr>
                <th scope="col">Change</th>
                {columns.map((name, index) => (
                  <th key={index} scope="col" class="name">
                    {visibleName(name)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, index) => (
                <tr key={index} class={row.change}>
                  <td>{row.change}</td>
                  {row.values.map((value, place) => (
                    <Value key={place} value={value} before={row.before?.[place]} isDeleted={row.change === 'deleted'} />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

interface ValueProps {
  readonly value: string | null;
  /** Value before the statement; `undefined` unless the row is a changed row. */
  readonly before: string | null | undefined;
  readonly isDeleted: boolean;
}

function Value({ value, before, isDeleted }: ValueProps): VNode {
  if (before === undefined || before === value) return <td class="code">{isDeleted ? <del>{show(value)}</del> : show(value)}</td>;
  return (
    <td class="code">
      <del>{show(before)}</del> <span aria-hidden="true">→</span> <ins>{show(value)}</ins>
    </td>
  );
}

const MAX_VALUE = 300;

function show(value: string | null): string {
  if (value === null) return 'NULL';
  return visible(value.length > MAX_VALUE ? `${value.slice(0, MAX_VALUE)}…` : value);
}

function Done({ result }: { readonly result: ToolResult }): VNode {
  const { committed, command, affected } = {
    ...result._meta,
    ...structureOf<ExecutedStatement>(result),
  } as Partial<ExecutedStatement>;
  const { columns = [], rows = [] } = viewDataOf<ViewedRows>(result);
  if (committed !== true) return <pre class="code">{visible(textOf(result))}</pre>;
  return (
    <>
      <h1>
        {visibleName(command ?? '')}
        {affected !== undefined && `: ${count(affected, 'row')}`}, committed
      </h1>
      {columns.length > 0 && <Grid columns={columns} rows={rows} label="Returned rows" />}
    </>
  );
}
