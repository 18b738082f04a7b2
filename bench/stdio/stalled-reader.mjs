import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { CALL, INITIALIZE, INITIALIZED } from '../clients/requests.mjs';
import { table } from '../measuring/table.mjs';

const OURS = 'annotated class';
const SERVERS = { [OURS]: '../echo/large-result-server.mjs', 'SDK alone': '../echo/large-result-sdk-server.mjs' };

const CALLS = 1000;

/** Maximum memory of our server in megabytes, at any time until the client begins to read. */
const BAR = 150;

/** A process that used no CPU time for this period counts as idle. */
const REST_MS = 1000;

/**
 * Measures the memory for a client that sends 1,000 calls with results of 1 MiB each and reads nothing. Afterwards it reads all
 * results.
 */
export async function stalledReader() {
  const rows = [];
  for (const [server, file] of Object.entries(SERVERS)) rows.push({ server, ...(await stall(file)) });
  const { peak, answers } = rows.find(({ server }) => server === OURS);
  return {
    title: `${CALLS} unread results of 1 MiB: memory of the server (RSS) in megabytes`,
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
    // The first line answers `initialize`.
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

/** Returns the CPU time of the process itself, in clock ticks. */
function processorTime({ pid }) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

function lines(messages) {
  return messages.map((message) => `${JSON.stringify(message)}\n`).join('');
}
