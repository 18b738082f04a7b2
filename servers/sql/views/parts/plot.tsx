import { count, visibleName } from '@org/mcp-views';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import style from 'uplot/dist/uPlot.min.css';

import { canBeX, choosePlot, PLOTS, readPlot, type PlotChoice, type PlotData, type PlotKind } from './plot-data.ts';
import { kindOf, type Column, type Row } from './values.ts';

const HEIGHT = 300;

interface PlotProps {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

/** Shows a plot of two columns, or a histogram of one column. The user can choose the kind of plot and the columns. */
export function Plot({ columns, rows }: PlotProps): VNode {
  const [choice, setChoice] = useState<PlotChoice | undefined>(() => choosePlot(columns));
  if (choice === undefined) return <p>No column has numbers, so there is nothing to plot.</p>;
  const pick = (kind: PlotKind): void => {
    const x = canBeX(kind, columns[choice.x] ?? { name: '', type: '' })
      ? choice.x
      : columns.findIndex((each) => canBeX(kind, each));
    setChoice({ ...choice, kind, x: Math.max(0, x) });
  };
  return (
    <>
      <style>{style}</style>
      <div class="row">
        <Choice
          label="Plot"
          value={choice.kind}
          options={PLOTS.map((kind) => [kind, kind])}
          onChoose={(kind) => pick(kind as PlotKind)}
        />
        <Choice
          label={choice.kind === 'histogram' ? 'Column' : 'x'}
          value={String(choice.x)}
          options={listColumns(columns, (column) => canBeX(choice.kind, column))}
          onChoose={(x) => setChoice({ ...choice, x: Number(x) })}
        />
        {choice.kind !== 'histogram' && (
          <Choice
            label="y"
            value={String(choice.y)}
            options={listColumns(columns, (column) => kindOf(column) === 'number')}
            onChoose={(y) => setChoice({ ...choice, y: Number(y) })}
          />
        )}
      </div>
      <Drawing data={readPlot(columns, rows, choice)} choice={choice} columns={columns} />
    </>
  );
}

type Option = readonly [value: string, text: string];

function listColumns(columns: readonly Column[], accepts: (column: Column) => boolean): readonly Option[] {
  return columns.flatMap((column, index) => (accepts(column) ? [[String(index), visibleName(column.name)] as const] : []));
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly Option[];
  readonly onChoose: (value: string) => void;
}

function Choice({ label, value, options, onChoose }: ChoiceProps): VNode {
  return (
    <label>
      {label}{' '}
      <select value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

interface DrawingProps {
  readonly data: PlotData;
  readonly choice: PlotChoice;
  readonly columns: readonly Column[];
}

function Drawing({ data, choice, columns }: DrawingProps): VNode {
  const place = useRef<HTMLDivElement>(null);
  const ink = useRef<HTMLSpanElement>(null);
  const [x, y] = [columns[choice.x], columns[choice.y]].map((column) => visibleName(column?.name ?? ''));
  useEffect(() => {
    const { current: element } = place;
    if (element === null || data.x.length === 0) return undefined;
    const colors = { ink: getComputedStyle(element).color, line: getComputedStyle(ink.current ?? element).color };
    const size = { width: Math.max(200, element.clientWidth), height: HEIGHT };
    const plot = new uPlot({ ...createOptions(data, choice, colors), ...size }, [[...data.x], [...data.y]], element);
    const observer = new ResizeObserver(() => plot.setSize({ width: Math.max(200, element.clientWidth), height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [data, choice]);
  const title = choice.kind === 'histogram' ? `Histogram of ${x}` : `${choice.kind} plot of ${y} over ${x}`;
  return (
    <>
      <span ref={ink} class="accent" aria-hidden="true" />
      <div
        ref={place}
        class="plot"
        role="img"
        aria-label={`${title}, ${count(data.x.length, 'point')}. The table has the values.`}
      />
      {data.x.length === 0 && <p>No row has values for this plot.</p>}
    </>
  );
}

interface Colors {
  readonly ink: string;
  readonly line: string;
}

function createOptions(
  { labels, isTime }: PlotData,
  { kind }: PlotChoice,
  { ink, line }: Colors,
): Omit<uPlot.Options, 'width' | 'height'> {
  const axis: uPlot.Axis = {
    stroke: ink,
    grid: { stroke: `color-mix(in srgb, ${ink} 15%, transparent)` },
    ticks: { stroke: ink },
  };
  const isBars = kind === 'bar' || kind === 'histogram';
  const bars = uPlot.paths.bars?.({ size: [0.8, 60] });
  const names = labels && {
    values: (_: uPlot, ticks: number[]): string[] =>
      ticks.map((tick) => (Number.isInteger(tick) ? shorten(labels[tick] ?? '') : '')),
  };
  return {
    legend: { show: false },
    cursor: { drag: { x: true, y: false } },
    scales: {
      x: { time: isTime, ...(labels && { range: [-0.6, labels.length - 0.4] }) },
      // The lengths of bars are compared, so they begin at 0.
      y: isBars ? { range: (_, least, most) => [Math.min(0, least), Math.max(0, most * 1.05)] } : {},
    },
    axes: [
      { ...axis, ...names },
      { ...axis, size: 60 },
    ],
    series: [
      {},
      {
        stroke: line,
        width: kind === 'line' ? 2 : 1,
        ...(isBars &&
          bars !== undefined && { fill: `color-mix(in srgb, ${line} 60%, transparent)`, paths: bars, points: { show: false } }),
        ...(kind === 'scatter' && { paths: () => null, points: { show: true, size: 6 } }),
      },
    ],
  };
}

function shorten(label: string): string {
  const name = visibleName(label);
  return name.length > 14 ? `${name.slice(0, 13)}…` : name;
}
