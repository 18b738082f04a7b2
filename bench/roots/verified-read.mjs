import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { Roots } from '@org/mcp-roots';

import { interleaved } from '../measuring/interleaved.mjs';
import { compare, median, range } from '../measuring/statistics.mjs';
import { table } from '../measuring/table.mjs';

const BYTES = 2048;
const READS = 2000;
const REFERENCE = 'fs.promises.readFile';

/** Highest ratio of a verified read to the reference, if paths are pinned. */
const BAR = 1.3;

/** Measures opening a small file by its path, reading the whole file and closing it. */
export async function verifiedRead({ rounds }) {
  const directory = mkdtempSync(path.join(tmpdir(), 'mcp-bench-'));
  const file = path.join(directory, 'a', 'small.txt');
  const held = {};
  try {
    mkdirSync(path.dirname(file));
    writeFileSync(file, 'x'.repeat(BYTES));
    for (const guarantee of ['pinned', 'rechecked']) held[guarantee] = await Roots.open([directory], { guarantee });
    const reads = Object.entries(held).map(([guarantee, roots]) => [guarantee, () => readVerified(roots, file)]);
    const subjects = [...reads, [REFERENCE, () => readFile(file)]].map(([name, read]) => [name, () => timeOf(read)]);
    return report(await interleaved(Object.fromEntries(subjects), rounds));
  } finally {
    for (const roots of Object.values(held)) await roots[Symbol.asyncDispose]();
    rmSync(directory, { recursive: true });
  }
}

async function readVerified(roots, file) {
  const open = await roots.openFile(file);
  try {
    return await open.readAt(0, open.size);
  } finally {
    await open[Symbol.asyncDispose]();
  }
}

/** Returns the microseconds of one read, averaged over many consecutive reads. */
async function timeOf(read) {
  const started = performance.now();
  for (let each = 0; each < READS; each += 1) {
    const { length } = await read();
    if (length !== BYTES) throw new Error(`${length} of ${BYTES} bytes were read`);
  }
  return ((performance.now() - started) / READS) * 1000;
}

function report(values) {
  const compared = Object.entries(values).map(([name, times]) => ({ name, times, ...compare(times, values[REFERENCE]) }));
  const { perRound } = compared.find(({ name }) => name === 'pinned');
  return {
    title: `Reading a file of ${BYTES} bytes: microseconds from its path to its content`,
    body: table(
      ['', 'median', 'per round', '95 %'],
      compared.map((each) => [each.name, median(each.times).toFixed(1), each.perRound.toFixed(2), range(each.interval)]),
    ),
    bars: [{ text: `pinned: at most ${BAR} of ${REFERENCE}: ${perRound.toFixed(3)}`, met: perRound <= BAR }],
  };
}
