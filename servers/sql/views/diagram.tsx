import type { ErDiagram, SchemaTable } from '@org/mcp-sql';
import { count, showView, structureOf, textOf, viewDataOf, visible, visibleName, type ViewProps } from '@org/mcp-views';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { layOut, LINE, type Layout } from './parts/lay-out.ts';

const ZOOMS = [0.5, 0.75, 1, 1.5];

showView('mcp-sql-diagram', Diagram);

function Diagram({ result }: ViewProps): VNode {
  const { tables } = viewDataOf<{ readonly tables: readonly SchemaTable[] }>(result);
  const { truncated } = structureOf<ErDiagram>(result);
  const [zoom, setZoom] = useState(2);
  const [selected, setSelected] = useState<number>();
  if (tables === undefined) return <pre class="code">{visible(textOf(result))}</pre>;
  const layout = layOut(tables);
  const scale = ZOOMS[zoom] ?? 1;
  return (
    <>
      <div class="row">
        <h1 class="grow">
          {count(tables.length, 'table')} <span class="quiet">{truncated === true && ', more tables exist'}</span>
        </h1>
        <button type="button" disabled={zoom === 0} onClick={() => setZoom(zoom - 1)}>
          Smaller
        </button>
        <button type="button" disabled={zoom === ZOOMS.length - 1} onClick={() => setZoom(zoom + 1)}>
          Larger
        </button>
      </div>
      <div class="scroll drawing" tabIndex={0} role="region" aria-label="Diagram">
        <Drawing layout={layout} scale={scale} selected={selected} />
      </div>
      <h2>Tables</h2>
      {tables.map((table, index) => (
        <Table key={index} table={table} onToggle={(isOpen) => setSelected(isOpen ? index : undefined)} />
      ))}
    </>
  );
}

interface DrawingProps {
  readonly layout: Layout;
  readonly scale: number;
  readonly selected: number | undefined;
}

/** Draws the tables and their foreign keys. The drawing is hidden from screen readers, which read the list of tables. */
function Drawing({ layout: { width, height, boxes, links }, scale, selected }: DrawingProps): VNode {
  return (
    <svg width={width * scale} height={height * scale} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {links.map(({ points, from, to, label }, index) => (
        <g key={index} class={selected === from || selected === to ? 'link selected' : 'link'}>
          <title>{visibleName(label)}</title>
          <polyline points={points.map(({ x, y }) => `${x},${y}`).join(' ')} />
          <Foot point={points.at(-1)} before={points.at(-2)} />
        </g>
      ))}
      {boxes.map(({ x, y, width: wide, height: high, title, lines }, index) => (
        <g key={index} class={selected === index ? 'table selected' : 'table'} transform={`translate(${x},${y})`}>
          <rect width={wide} height={high} rx="6" />
          <rect class="head" width={wide} height={LINE + 4} rx="6" />
          <text x="8" y={LINE - 2} class="title">
            {visibleName(title)}
          </text>
          {lines.map((line, position) => (
            <text key={position} x="8" y={LINE * (position + 2) + 2}>
              {visibleName(line)}
            </text>
          ))}
        </g>
      ))}
    </svg>
  );
}

type Point = Layout['links'][number]['points'][number];

/** Draws the end of a link at the table with the foreign key: a crow's foot, the symbol for many rows. */
function Foot({ point, before }: { readonly point: Point | undefined; readonly before: Point | undefined }): VNode | null {
  if (point === undefined || before === undefined) return null;
  const angle = (Math.atan2(point.y - before.y, point.x - before.x) * 180) / Math.PI;
  return <path d="M-10 0L0 -5M-10 0L0 5" transform={`translate(${point.x},${point.y}) rotate(${angle})`} />;
}

interface TableProps {
  readonly table: SchemaTable;
  readonly onToggle: (isOpen: boolean) => void;
}

function Table({ table: { schema, name, comment, columns, references }, onToggle }: TableProps): VNode {
  return (
    <details onToggle={({ currentTarget }) => onToggle(currentTarget.open)}>
      <summary>
        <span class="name">
          {visibleName(schema)}.{visibleName(name)}
        </span>{' '}
        <span class="quiet">{count(columns.length, 'column')}</span>
      </summary>
      {comment !== undefined && <p>{visible(comment)}</p>}
      <ul>
        {columns.map((column) => (
          <li key={column.name}>
            <span class="name">{visibleName(column.name)}</span>{' '}
            <span class="quiet">
              {visibleName(column.type)}
              {column.isArray === true && '[]'}
              {!column.nullable && ', not null'}
              {column.isKey && ', primary key'}
            </span>
          </li>
        ))}
        {references.map((reference) => (
          <li key={`${reference.columns.join()} ${reference.table}`}>
            <span class="name">{reference.columns.map(visibleName).join(', ')}</span> references{' '}
            <span class="name">
              {visibleName(reference.schema)}.{visibleName(reference.table)}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
