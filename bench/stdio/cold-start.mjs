import nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

import { firstAnswer, runToItsEnd } from '../clients/first-answer.mjs';
import { interleaved } from '../measuring/interleaved.mjs';
import { DISCOVER, INITIALIZE } from '../clients/requests.mjs';
import { compare, median } from '../measuring/statistics.mjs';
import { reportOf } from '../measuring/report.mjs';

/**
 * Share of the reference server's time that mcp-fs may take; compared round by round, which a busy machine disturbs least. Node.js 20 has
 * no compile cache.
 */
const BAR = 'enableCompileCache' in nodeModule ? 0.65 : 0.8;

const OURS = 'mcp-fs';
const REFERENCE = '@modelcontextprotocol/server-filesystem';

const directory = pathOf('../..');
const ours = pathOf('../../servers/fs/bin/mcp-fs.js');
const reference = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'));

const SUBJECTS = {
  [OURS]: () => firstAnswer([ours, directory], INITIALIZE),
  [REFERENCE]: () => firstAnswer([reference, directory], INITIALIZE),
  'bare node': () => firstAnswer([pathOf('../echo/bare-server.mjs')], INITIALIZE),
  'mcp-fs, server/discover': () => firstAnswer([ours, directory], DISCOVER),
};

/** Measures the time from the start of a server process to its answer to `initialize` or `server/discover`. */
export async function coldStart({ rounds }) {
  return reportOf('Cold start', [await coldStartRows(rounds)]);
}

/** Returns the measurement of `coldStart` as a part of a page. */
export async function coldStartRows(rounds) {
  for (const program of [ours, reference]) await runToItsEnd([program, directory], INITIALIZE);
  const values = await interleaved(SUBJECTS, rounds);
  const rows = Object.entries(values).map(([name, times]) => rowOf(name, times, values[REFERENCE]));
  const { perRound } = compare(values[OURS], values[REFERENCE]);
  return {
    heading: 'Cold start: from spawn to the first answer, milliseconds',
    header: ['', 'median', 'min–max', 'of medians', 'per round'],
    rows,
    bars: [
      {
        text: `at most ${BAR} of the reference's time, by the median of the rounds: ${perRound.toFixed(3)}`,
        met: perRound <= BAR,
      },
    ],
  };
}

function rowOf(name, times, referenceTimes) {
  const { ofMedians, perRound } = compare(times, referenceTimes);
  const range = `${Math.min(...times).toFixed(0)}–${Math.max(...times).toFixed(0)}`;
  return [name, median(times).toFixed(0), range, ofMedians.toFixed(2), perRound.toFixed(2)];
}

function pathOf(relative) {
  return fileURLToPath(new URL(relative, import.meta.url));
}
