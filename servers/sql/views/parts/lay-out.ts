import { Graph, layout } from '@dagrejs/dagre';
import type { SchemaTable } from '@org/mcp-sql';

/** Height of a line of text, and width of a character, in pixels. */
export const LINE = 18;
const CHARACTER = 7.3;
/** Maximum number of columns that a box shows, and maximum number of characters of a line. */
const MAX_COLUMNS = 12;
const MAX_CHARACTERS = 36;

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Box extends Point {
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly lines: readonly string[];
}

interface Link {
  readonly points: readonly Point[];
  /** Positions in the list of tables: `from` is the referenced table, and `to` is the table with the foreign key. */
  readonly from: number;
  readonly to: number;
  readonly label: string;
}

/** Positions of the boxes of tables, and of the lines of their foreign keys, in pixels. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  /** In the order of the tables. */
  readonly boxes: readonly Box[];
  readonly links: readonly Link[];
}

/**
 * Computes the layout of a diagram. Referenced tables are above the tables that reference them, as far as no cycle prevents this.
 */
export function layOut(tables: readonly SchemaTable[]): Layout {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: 30, ranksep: 50, marginx: 10, marginy: 10 });
  graph.setDefaultEdgeLabel(() => ({}));
  const boxes = tables.map((table) => describe(table, tables));
  for (const [index, { width, height }] of boxes.entries()) graph.setNode(String(index), { width, height });
  const links = tables.flatMap(({ references }, to) =>
    references.flatMap((reference, number) => {
      const from = tables.findIndex(({ schema, name }) => schema === reference.schema && name === reference.table);
      if (from === -1) return [];
      graph.setEdge(String(from), String(to), {}, String(number));
      return [{ from, to, number, label: reference.columns.join(', ') }];
    }),
  );
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { readonly width?: number; readonly height?: number };
  return {
    width,
    height,
    boxes: boxes.map((box, index) => {
      const { x = 0, y = 0 } = graph.node(String(index)) as Partial<Point>;
      return { ...box, x: x - box.width / 2, y: y - box.height / 2 };
    }),
    links: links.map(({ number, ...link }) => {
      const { points = [] } = graph.edge(String(link.from), String(link.to), String(number)) as {
        readonly points?: readonly Point[];
      };
      return { ...link, points };
    }),
  };
}

function describe({ schema, name, columns, references }: SchemaTable, tables: readonly SchemaTable[]): Omit<Box, 'x' | 'y'> {
  const isSeveral = tables.some((table) => table.schema !== schema);
  const isForeign = (column: string): boolean => references.some((reference) => reference.columns.includes(column));
  const all = columns.map((column) => {
    const marks = [...(column.isKey ? ['PK'] : []), ...(isForeign(column.name) ? ['FK'] : [])].join(' ');
    return `${column.name} ${column.type}${column.isArray === true ? '[]' : ''}${marks === '' ? '' : ` ${marks}`}`;
  });
  const more = all.length > MAX_COLUMNS ? [`… ${all.length - MAX_COLUMNS} more`] : [];
  const lines = [...all.slice(0, MAX_COLUMNS), ...more].map(shorten);
  const title = shorten(isSeveral ? `${schema}.${name}` : name);
  const longest = Math.max(title.length + 1, ...lines.map(({ length }) => length));
  return { title, lines, width: longest * CHARACTER + 16, height: LINE * (lines.length + 1) + 12 };
}

function shorten(text: string): string {
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS - 1)}…` : text;
}
