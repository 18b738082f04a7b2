import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

import { versionOf } from './native.mjs';

const PAGE = new URL('../../docs/benchmarks/filesystem.md', import.meta.url);

/** Writes what was measured as a page of the documentation. */
export function writePage(parts, bars, { rounds, programs }) {
  mkdirSync(new URL('.', PAGE), { recursive: true });
  writeFileSync(PAGE, `${[...headOf(rounds, programs), ...parts.flatMap(sectionOf), ...barsOf(bars)].join('\n\n')}\n`);
  console.log(`Written to ${fileURLToPath(PAGE)}`);
}

function headOf(rounds, programs) {
  const [{ model }] = cpus();
  const versions = programs.map((program) => versionOf(program) ?? `no ${program}`);
  return [
    '# Benchmarks of the filesystem server',
    'Written by `npm run bench -- filesystem --write`. What counts are the ratios: each is the median of the ratios in single rounds, in which all that is compared runs in turn. The system’s programs are started anew each time, and that is part of their time; the servers are warm. Trees and files are generated, and the same each time: 52,000 files in 2,000 directories, a file of 1 GiB, a directory of 10,000 entries and one of 1,000,000. The start of a server is measured by `npm run bench -- cold-start`, watchers by `npm run bench -- watch`.',
    `${new Date().toISOString().slice(0, 10)}, ${availableParallelism()} processors (${model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${release()}, Node.js ${process.version}, ${rounds} rounds; ${versions.join('; ')}. Reference: \`@modelcontextprotocol/server-filesystem\` 2026.8.31.`,
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
