import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../workspace/run.mjs';

const PAGES = ['filesystem', 'git', 'sql'];
const WIDTH = 860;
const LABELS = 470;
const ROW = 22;
const TOP = 58;
/** The charts show ratios from 1/32 to 8, as exponents of two. Each doubling has the same width. */
const [LEAST, MOST] = [-5, 3];

/** Returns the charts of the benchmark pages: a bar for each comparison, by the ratio of our time to that of another program. */
export function benchmarkCharts() {
  return PAGES.map((page) => ({ file: `docs/images/benchmarks-${page}.svg`, text: chart(readRatios(page)) }));
}

/** Returns the comparisons of the first table of a page: the measured work, the other program and the ratio. */
function readRatios(page) {
  const text = readFileSync(join(ROOT, 'docs/benchmarks', `${page}.md`), 'utf8');
  const [table] = text.split(/^## /m)[1].match(/^\|.*(?:\n\|.*)*/m);
  let work = '';
  return table.split('\n').flatMap((line) => {
    const [, name, by, , , ratio] = line.split('|').map((cell) => cell.trim());
    if (name !== '' && name !== undefined) work = name;
    return Number(ratio) > 0 ? [{ work, by, ratio: Number(ratio) }] : [];
  });
}

function chart(rows) {
  const height = TOP + rows.length * ROW + 16;
  const one = toX(1);
  const marks = [1 / 32, 1 / 8, 1 / 2, 1, 2, 4, 8].map((ratio) => {
    const label = ratio < 1 ? `1/${1 / ratio}` : String(ratio);
    return `<text x="${toX(ratio)}" y="44" text-anchor="middle">${label}</text><path d="M${toX(ratio)} 50V${height - 10}" stroke="${ratio === 1 ? '#1d2330' : '#d5dae6'}"/>`;
  });
  const bars = rows.map(({ work, by, ratio }, index) => {
    const y = TOP + index * ROW;
    const [from, to] = [Math.min(one, toX(ratio)), Math.max(one, toX(ratio))];
    const fill = ratio <= 1 ? '#1f6f4a' : '#b3541e';
    const side = ratio <= 1 ? `x="${from - 4}" text-anchor="end"` : `x="${to + 4}"`;
    return [
      `<text x="${LABELS - 8}" y="${y + 13}" text-anchor="end">${escape(`${work}: ${by}`)}</text>`,
      `<rect x="${from}" y="${y + 2}" width="${Math.max(to - from, 1)}" height="${ROW - 8}" fill="${fill}"/>`,
      `<text ${side} y="${y + 13}">${ratio}</text>`,
    ].join('');
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">`,
    '<title>Time of our server divided by the time of another program</title>',
    '<style>text { font: 11px system-ui, sans-serif; fill: #1d2330; }</style>',
    `<rect width="${WIDTH}" height="${height}" rx="8" fill="#ffffff"/>`,
    '<text x="12" y="20">Time of our server divided by the time of the other program. Green: our server is faster. Each step doubles.</text>',
    ...marks,
    ...bars,
    '</svg>\n',
  ].join('\n');
}

function toX(ratio) {
  const position = Math.min(Math.max(Math.log2(ratio), LEAST), MOST);
  return Math.round(LABELS + 30 + ((position - LEAST) / (MOST - LEAST)) * (WIDTH - LABELS - 70));
}

function escape(text) {
  const short = text.length > 72 ? `${text.slice(0, 71)}…` : text;
  return short.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
