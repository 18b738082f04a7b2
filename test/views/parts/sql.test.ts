import { describe, expect, it } from 'vitest';

import { canBeX, choosePlot, readPlot } from '../../../servers/sql/views/parts/plot-data.ts';
import { compareValues, kindOf, toCsv, toNumber, toTabs } from '../../../servers/sql/views/parts/values.ts';

const column = (type: string, name = 'c'): { readonly name: string; readonly type: string } => ({ name, type });
const [TIME, TEXT, NUMBER] = [column('timestamp with time zone'), column('text'), column('numeric(10,2)')];

describe('the kind of a type', () => {
  it.each([
    ['integer', 'number'],
    ['numeric(10,2)', 'number'],
    ['double precision', 'number'],
    ['int4', 'number'],
    ['date', 'time'],
    ['timestamp(3) without time zone', 'time'],
    ['integer[]', 'text'],
    ['interval', 'text'],
    ['text', 'text'],
    ['point', 'text'],
  ])('of %s is %s', (type, kind) => expect(kindOf(column(type))).toBe(kind));
});

describe('a value as a number', () => {
  it.each([
    ['1.50', 'number', 1.5],
    ['NaN', 'number', undefined],
    ['Infinity', 'number', undefined],
    [null, 'number', undefined],
    ['2026-07-28', 'time', 1_785_196_800],
    ['2026-07-28 02:00:00', 'time', 1_785_204_000],
    ['2026-07-28 04:00:00+02', 'time', 1_785_204_000],
    ['2026-07-28 02:00:00.5+00', 'time', 1_785_204_000.5],
    ['infinity', 'time', undefined],
    ['12', 'text', undefined],
  ] as const)('of %s (%s) is %s', (value, kind, expected) => expect(toNumber(value, kind)).toBe(expected));
});

describe('the order of values', () => {
  it.each([
    [['10', '9', null, '-1'], 'number', ['-1', '9', '10', null]],
    [['99999999999999999999', '99999999999999999998'], 'number', ['99999999999999999998', '99999999999999999999']],
    [['b', null, 'a', ''], 'text', ['', 'a', 'b', null]],
    [['2026-01-02', '2025-12-31'], 'time', ['2025-12-31', '2026-01-02']],
  ] as const)('of %j (%s) is %j', (values, kind, expected) =>
    expect([...values].sort((one, other) => compareValues(one, other, kind))).toEqual(expected),
  );
});

describe('rows as text', () => {
  it('as CSV distinguish NULL from an empty text, and quote what they must', () => {
    expect(
      toCsv(
        [column('text', 'a,b'), column('text', 'c')],
        [
          ['x"y', null],
          ['', 'line\nbreak'],
        ],
      ),
    ).toBe('"a,b",c\r\n"x""y",\r\n"","line\nbreak"\r\n');
  });

  it('for spreadsheets have no tabs or line breaks in values', () => {
    expect(toTabs([column('text', 'a')], [['x\ty\nz'], [null]])).toBe('a\nx y z\n');
  });
});

describe('a plot', () => {
  it.each([
    ['a time and a number', [TIME, NUMBER], { kind: 'line', x: 0, y: 1 }],
    ['a text and a number', [TEXT, NUMBER], { kind: 'bar', x: 0, y: 1 }],
    ['two numbers', [NUMBER, NUMBER], { kind: 'scatter', x: 0, y: 1 }],
    ['one number', [NUMBER], { kind: 'histogram', x: 0, y: 0 }],
    ['an id before another number', [TIME, column('integer', 'id'), NUMBER], { kind: 'line', x: 0, y: 2 }],
    ['no number', [TEXT, TIME], undefined],
  ])('is chosen for %s', (_, columns, expected) => expect(choosePlot(columns)).toEqual(expected));

  it('offers the columns that suit its kind', () => {
    expect([TIME, TEXT, NUMBER].map((each) => canBeX('line', each))).toEqual([true, false, true]);
    expect([TIME, TEXT, NUMBER].map((each) => canBeX('scatter', each))).toEqual([false, false, true]);
    expect([TIME, TEXT, NUMBER].map((each) => canBeX('bar', each))).toEqual([true, true, true]);
  });

  it('sorts points by x, and leaves out rows without values', () => {
    const rows = [
      ['2', '5'],
      [null, '1'],
      ['1', null],
      ['1', '4'],
    ] as const;
    expect(readPlot([NUMBER, NUMBER], rows, { kind: 'line', x: 0, y: 1 })).toMatchObject({ x: [1, 2], y: [4, 5] });
  });

  it('has at most 60 bars', () => {
    const rows = Array.from({ length: 100 }, (_, index) => [`n${index}`, String(index)] as const);
    const { labels, y } = readPlot([TEXT, NUMBER], rows, { kind: 'bar', x: 0, y: 1 });
    expect([labels?.length, y.length, labels?.[3]]).toEqual([60, 60, 'n3']);
  });

  it('counts values in 20 intervals', () => {
    const rows = Array.from({ length: 100 }, (_, index) => [String(index)] as const);
    const { x, y } = readPlot([NUMBER], rows, { kind: 'histogram', x: 0, y: 0 });
    expect(x).toHaveLength(20);
    expect(y.reduce((sum, count) => sum + count, 0)).toBe(100);
    expect(readPlot([NUMBER], [['7'], ['7']], { kind: 'histogram', x: 0, y: 0 }).y[0]).toBe(2);
    expect(readPlot([NUMBER], [], { kind: 'histogram', x: 0, y: 0 }).x).toEqual([]);
  });
});
