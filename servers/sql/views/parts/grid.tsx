import { count, visible, visibleName } from '@org/mcp-views';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { compareValues, kindOf, type Column, type Row } from './values.ts';

/** Number of rows that are drawn at first, and that each click on the button below the table adds. */
const STEP = 200;
/** Maximum number of characters of a drawn value. */
const MAX_VALUE = 1000;

interface GridProps {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** Label for screen readers. */
  readonly label: string;
}

interface Order {
  readonly column: number;
  readonly isDescending: boolean;
}

/** Shows rows as a table. A click on the head of a column sorts the rows, and a second click reverses their order. */
export function Grid({ columns, rows, label }: GridProps): VNode {
  const [order, setOrder] = useState<Order>();
  const [drawn, setDrawn] = useState(STEP);
  const sorted = order === undefined ? rows : sortRows(columns, rows, order);
  return (
    <>
      <div class="scroll" tabIndex={0} role="region" aria-label={label}>
        <table class="grid" aria-label={label}>
          <thead>
            <tr>
              {columns.map((column, index) => (
                <Head
                  key={index}
                  column={column}
                  order={order?.column === index ? order : undefined}
                  onSort={(isDescending) => setOrder({ column: index, isDescending })}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {sorted.slice(0, drawn).map((row, position) => (
              <tr key={position}>
                {columns.map((column, index) => (
                  <Cell key={index} value={row[index] ?? null} isNumber={kindOf(column) === 'number'} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {drawn < sorted.length && (
        <button type="button" onClick={() => setDrawn(drawn + STEP)}>
          Draw more of {count(sorted.length, 'row')}
        </button>
      )}
    </>
  );
}

function sortRows(columns: readonly Column[], rows: readonly Row[], { column, isDescending }: Order): readonly Row[] {
  const kind = kindOf(columns[column] ?? { name: '', type: '' });
  const sorted = [...rows].sort((one, other) => compareValues(one[column] ?? null, other[column] ?? null, kind));
  return isDescending ? sorted.reverse() : sorted;
}

interface HeadProps {
  readonly column: Column;
  readonly order: Order | undefined;
  readonly onSort: (isDescending: boolean) => void;
}

function Head({ column: { name, type }, order, onSort }: HeadProps): VNode {
  const direction = order === undefined ? undefined : order.isDescending ? 'descending' : 'ascending';
  return (
    <th scope="col" {...(direction !== undefined && { 'aria-sort': direction })}>
      <button type="button" class="sort" onClick={() => onSort(order !== undefined && !order.isDescending)}>
        <span class="name">{visibleName(name)}</span>
        <span aria-hidden="true">{direction === undefined ? '' : direction === 'ascending' ? ' ▲' : ' ▼'}</span>
        <span class="type">{visibleName(type)}</span>
      </button>
    </th>
  );
}

function Cell({ value, isNumber }: { readonly value: string | null; readonly isNumber: boolean }): VNode {
  if (value === null) return <td class="null">NULL</td>;
  const text = value.length > MAX_VALUE ? `${value.slice(0, MAX_VALUE)}…` : value;
  return <td class={isNumber ? 'code right' : 'code'}>{visible(text)}</td>;
}
