import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { CALL, INITIALIZE, INITIALIZED } from './requests.mjs';
import { table } from './table.mjs';

const OURS = 'annotated class';
const SERVERS = { [OURS]: 'large-result-server.mjs', 'SDK alone': 'large-result-sdk-server.mjs' };

const CALLS = 1000;

/** Megabytes that ours may occupy at most, at any time until the client begins to read. */
const BAR = 150;

/** A process that used no time of a processor for so long has come to rest. */
const REST_MS = 1000;

/** What a client costs that sends 1,000 calls whose results have 1 MiB each, and reads nothing; afterwards it reads all of them. */
export async function stalledReader() {
  const rows = [];
  for (const [server, file] of Object.entries(SERVERS)) rows.push({ server, ...(await stall(file)) });
  const { peak, answers } = rows.find(({ server }) => server === OURS);
  return {
    title: `${CALLS} results of 1 MiB that nobody reads: megabytes of the server's memory (RSS)`,
    body: table(
      ['', 'idle', 'most', 'answered in the end'],
      rows.map((row) => [row.server, row.idle.toFixed(0), row.peak.toFixed(0), String(row.answers)]),
    ),
    bars: [
      { text: `less than ${BAR} MB: ${peak.toFixed(0)}`, met: peak < BAR },
      { text: `all calls answered once the client reads: ${answers}`, met: answers === CALLS },
    ],
  };
}

async function stall(file) {
  const child = spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url))], { stdio: ['pipe', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  try {
    child.stdin.write(lines([INITIALIZE, INITIALIZED]));
    await once(child.stdout, 'readable');
    const idle = memory(child).now;
    child.stdin.write(
      lines(Array.from({ length: CALLS }, (_, index) => CALL.session(index + 2, { name: 'large', arguments: {} }))),
    );
    await rest(child);
    const { peak } = memory(child);
    return { idle, peak, answers: await readAnswers(child) };
  } finally {
    child.kill('SIGKILL');
    await closed;
  }
}

async function rest(child) {
  for (let used = -1, now = processorTime(child); used !== now; used = now, now = processorTime(child)) await pause(REST_MS);
}

async function readAnswers({ stdout }) {
  let lines = 0;
  for await (const chunk of stdout) {
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1;
    // The first one answers `initialize`.
    if (lines > CALLS) break;
  }
  return lines - 1;
}

function memory({ pid }) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const [now, peak] = ['VmRSS', 'VmHWM'].map(
    (name) => (Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)[1]) * 1024) / 1e6,
  );
  return { now, peak };
}

/** Of the process itself, in ticks of the clock. */
function processorTime({ pid }) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

function lines(messages) {
  return messages.map((message) => `${JSON.stringify(message)}\n`).join('');
}
