import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

import { versionOf } from './native.mjs';

const DIRECTORY = new URL('../../docs/benchmarks/', import.meta.url);

/**
 * Writes the results as a page of the documentation, and as JSON beside it. `page` contains the name for `npm run bench`, the title, the
 * introduction and the compared server.
 */
export function writePage(page, parts, run) {
  const file = new URL(`${page.name}.md`, DIRECTORY);
  const bars = parts.flatMap((part) => part.bars);
  mkdirSync(DIRECTORY, { recursive: true });
  writeFileSync(file, `${[...headOf(page, run), ...parts.flatMap(sectionOf), ...barsOf(bars)].join('\n\n')}\n`);
  writeFileSync(new URL(`${page.name}.json`, DIRECTORY), `${JSON.stringify(dataOf(page, parts, run), null, 2)}\n`);
  console.log(`Written to ${fileURLToPath(file)}`);
}

function dataOf({ name }, parts, { rounds }) {
  const [{ model }] = cpus();
  return {
    name,
    date: today(),
    machine: {
      processors: availableParallelism(),
      model: model.trim(),
      memoryBytes: totalmem(),
      system: `${process.platform} ${release()}`,
    },
    node: process.version,
    rounds,
    parts: parts.map(({ heading, header, rows, measurements }) =>
      measurements ? { heading, measurements } : { heading, header, rows },
    ),
    bars: parts.flatMap((part) => part.bars),
  };
}

function today() {
  return new Date().toISOString().slice(0, 10);
}

function headOf({ name, title, introduction, reference }, { rounds, programs }) {
  const [{ model }] = cpus();
  const versions = programs.map((program) => versionOf(program) ?? `no ${program}`);
  return [
    `# ${title}`,
    `Written by \`npm run bench -- ${name} --write\`. The ratios matter: each is the median of the ratios in single rounds, in which all compared programs run in turn, with the interval that contains the true median in 95 % of cases. ${introduction}`,
    `${today()}, ${availableParallelism()} processors (${model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${release()}, Node.js ${process.version}, ${[`${rounds} rounds`, ...versions].join('; ')}. Reference: ${reference}.`,
  ];
}

function sectionOf({ heading, header, rows }) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`;
  const rule = line(header.map((_, column) => (column === 0 ? '---' : '--:')));
  return [`## ${heading}`, [line(header), rule, ...rows.map(line)].join('\n')];
}

function barsOf(bars) {
  return [
    '## Bars',
    ['| | |', '| --- | --- |', ...bars.map(({ text, met }) => `| ${met ? 'met' : '**missed**'} | ${text} |`)].join('\n'),
  ];
}
