import { fileURLToPath } from 'node:url';

import { firstAnswer, runToItsEnd } from '../clients/first-answer.mjs';
import { interleaved } from '../measuring/interleaved.mjs';
import { INITIALIZE } from '../clients/requests.mjs';
import { compare, median, range } from '../measuring/statistics.mjs';
import { table } from '../measuring/table.mjs';

const DIRECTORY = pathOf('../..');

const PROGRAM = [pathOf('../../servers/fs/bin/mcp-fs.js'), DIRECTORY];
const SUBCLASS = [pathOf('subclass-server.mjs'), DIRECTORY];
const SCRATCH = [pathOf('../echo/echo-server.mjs')];
const SDK = [pathOf('../echo/echo-sdk-server.mjs')];

const SUBJECTS = {
  'subclass of FilesystemServer': () => firstAnswer(SUBCLASS, INITIALIZE),
  'mcp-fs, bundled': () => firstAnswer(PROGRAM, INITIALIZE),
  'annotated class': () => firstAnswer(SCRATCH, INITIALIZE),
  'SDK alone': () => firstAnswer(SDK, INITIALIZE),
  'bare node': () => firstAnswer([pathOf('../echo/bare-server.mjs')], INITIALIZE),
};

/** Maximum ratios of two subjects, compared round by round, which a busy machine disturbs least. */
const BARS = [
  { subject: 'subclass of FilesystemServer', reference: 'mcp-fs, bundled', most: 2 },
  { subject: 'annotated class', reference: 'SDK alone', most: 1.2 },
];

/**
 * Measures the time from the start of a process to its answer to `initialize`, for servers that users write: they import the packages
 * as modules and are not bundled.
 */
export async function startOfModules({ rounds }) {
  for (const command of [PROGRAM, SUBCLASS, SCRATCH, SDK]) await runToItsEnd(command, INITIALIZE);
  const values = await interleaved(SUBJECTS, rounds);
  const compared = BARS.map(({ subject, reference, most }) => ({
    place: `${subject}, compared with ${reference}`,
    most,
    ...compare(values[subject], values[reference]),
  }));
  return {
    title: 'Start of modules: from spawn to the first answer, milliseconds',
    body: [startTable(values), ratioTable(compared)].join('\n\n'),
    bars: compared.map(({ place, most, perRound }) => ({
      text: `${place}: at most ${most} of its time, by the median of the rounds: ${perRound.toFixed(3)}`,
      met: perRound <= most,
    })),
  };
}

function startTable(values) {
  const rows = Object.entries(values).map(([name, times]) => [
    name,
    median(times).toFixed(0),
    `${Math.min(...times).toFixed(0)}–${Math.max(...times).toFixed(0)}`,
  ]);
  return table(['', 'median', 'min–max'], rows);
}

function ratioTable(compared) {
  const rows = compared.map(({ place, ofMedians, perRound, interval }) => [
    place,
    ...[ofMedians, perRound].map((ratio) => ratio.toFixed(2)),
    range(interval),
  ]);
  return table(['', 'of medians', 'per round', '95 %'], rows);
}

function pathOf(relative) {
  return fileURLToPath(new URL(relative, import.meta.url));
}
