import { kindOf, toNumber, type Column, type Kind, type Row } from './values.ts';

export const PLOTS = ['line', 'bar', 'scatter', 'histogram'] as const;

export type PlotKind = (typeof PLOTS)[number];

/** The kind of a plot, and the positions of its columns. A histogram ignores `y`. */
export interface PlotChoice {
  readonly kind: PlotKind;
  readonly x: number;
  readonly y: number;
}

/** The points of a plot. */
export interface PlotData {
  readonly x: readonly number[];
  readonly y: readonly number[];
  /** Labels of the bars of a bar plot; the `x` of a bar is its position in this list. */
  readonly labels?: readonly string[];
  /** Whether `x` is in seconds since 1970. */
  readonly isTime: boolean;
}

const MAX_BARS = 60;
const BINS = 20;

/**
 * Chooses the plot that suits the types of the columns. A column of ids is chosen only if no other column has numbers. Returns
 * `undefined` without a column of numbers.
 */
export function choosePlot(columns: readonly Column[]): PlotChoice | undefined {
  const kinds = columns.map(kindOf);
  const isId = (index: number): boolean => /(^|_)id$/i.test(columns[index]?.name ?? '');
  const numbers = kinds
    .flatMap((kind, index) => (kind === 'number' ? [index] : []))
    .sort((one, other) => Number(isId(one)) - Number(isId(other)));
  const [first, second] = numbers;
  if (first === undefined) return undefined;
  const [time, text] = [kinds.indexOf('time'), kinds.indexOf('text')];
  if (time !== -1) return { kind: 'line', x: time, y: first };
  if (text !== -1) return { kind: 'bar', x: text, y: first };
  return second === undefined ? { kind: 'histogram', x: first, y: first } : { kind: 'scatter', x: first, y: second };
}

/** Whether a column can be the x of a kind of plot. */
export function canBeX(kind: PlotKind, column: Column): boolean {
  const found = kindOf(column);
  if (kind === 'bar') return true;
  return kind === 'scatter' ? found === 'number' : found !== 'text';
}

/** Reads the points of a plot. A row whose value cannot be drawn, such as NULL, is left out. A bar plot has at most 60 bars. */
export function readPlot(columns: readonly Column[], rows: readonly Row[], choice: PlotChoice): PlotData {
  const kindAt = (index: number): Kind => kindOf(columns[index] ?? { name: '', type: '' });
  const isTime = kindAt(choice.x) === 'time';
  const readX = (row: Row): number | undefined => toNumber(row[choice.x], kindAt(choice.x));
  if (choice.kind === 'histogram') return { ...count(rows.flatMap((row) => readX(row) ?? [])), isTime };
  const readY = (row: Row): number | undefined => toNumber(row[choice.y], kindAt(choice.y));
  if (choice.kind === 'bar') return readBars(rows, choice.x, readY);
  const points = rows.flatMap((row) => {
    const [x, y] = [readX(row), readY(row)];
    return x === undefined || y === undefined ? [] : [{ x, y }];
  });
  points.sort((one, other) => one.x - other.x);
  return { x: points.map(({ x }) => x), y: points.map(({ y }) => y), isTime };
}

function readBars(rows: readonly Row[], x: number, readY: (row: Row) => number | undefined): PlotData {
  const bars = rows.flatMap((row) => {
    const y = readY(row);
    return y === undefined ? [] : [{ label: row[x] ?? 'NULL', y }];
  });
  const shown = bars.slice(0, MAX_BARS);
  return {
    x: shown.map((_, index) => index),
    y: shown.map(({ y }) => y),
    labels: shown.map(({ label }) => label),
    isTime: false,
  };
}

/** Counts the values in 20 intervals of equal width. The points are in the middle of the intervals. */
function count(values: readonly number[]): Pick<PlotData, 'x' | 'y'> {
  const [least, most] = [values.reduce((a, b) => Math.min(a, b), Infinity), values.reduce((a, b) => Math.max(a, b), -Infinity)];
  if (values.length === 0) return { x: [], y: [] };
  const width = (most - least) / BINS || 1;
  const counts = Array.from({ length: BINS }, () => 0);
  for (const value of values) {
    const bin = Math.min(BINS - 1, Math.floor((value - least) / width));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return { x: counts.map((_, bin) => least + (bin + 0.5) * width), y: counts };
}
