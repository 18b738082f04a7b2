import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { startClient } from '../clients/client.mjs';
import { processorTime } from '../measuring/processor-time.mjs';
import { startPostgres } from './postgres.mjs';
import { startOf } from './servers.mjs';

const REFERENCE = 'initdb and start';

/**
 * Measures the time from starting the server to the first row of its embedded PostgreSQL, for the first start and for
 * later starts.
 */
export function embeddedWork() {
  const reference = { once: coldStart, busyMs };
  const kept = newState();
  process.once('exit', () => remove(kept));
  return [
    {
      name: 'the embedded server for the first time, to the first row',
      ways: { 'mcp-sql': { once: firstStart, busyMs }, [REFERENCE]: reference },
      bars: [{ of: REFERENCE, times: 1.2 }],
    },
    {
      name: 'the embedded server later on, to the first row',
      ways: { 'mcp-sql': { once: () => laterStart(kept), busyMs }, [REFERENCE]: reference },
      bars: [{ of: REFERENCE, times: 0.5 }],
    },
  ];
}

async function firstStart() {
  const state = newState();
  try {
    return await firstRow(state);
  } finally {
    remove(state);
  }
}

/**
 * Measures a later start after the preparations of earlier starts have finished, because users do not start the server
 * again immediately after the first row.
 */
async function laterStart(state) {
  if (!isReady(state)) await makeReady(state);
  return firstRow(state);
}

async function makeReady(state) {
  // Waits up to 2 s for the preparations that the previous start continues in the background.
  for (let waited = 0; waited < 2000 && existsSync(templatesIn(state)) && !isReady(state); waited += 10) await setTimeout(10);
  if (isReady(state)) return;
  const client = await startClient('mcp-sql', startOf(state).args);
  try {
    while (!isReady(state)) await setTimeout(10);
  } finally {
    await client.close();
  }
}

function isReady(state) {
  const templates = templatesIn(state);
  return existsSync(templates) && readdirSync(templates).some((name) => name.endsWith('.spare'));
}

function templatesIn(state) {
  return join(state, 'templates');
}

async function firstRow(state) {
  const began = performance.now();
  const client = await startClient('mcp-sql', startOf(state).args);
  try {
    await client.call('query', { sql: 'select 1' });
    return performance.now() - began;
  } finally {
    await client.close();
  }
}

async function coldStart() {
  const postgres = await startPostgres();
  await postgres.stop();
  return postgres.coldMs;
}

function newState() {
  return mkdtempSync(join(tmpdir(), 'mcp-bench-state-'));
}

function remove(directory) {
  rmSync(directory, { recursive: true, force: true });
}

function busyMs() {
  return processorTime(process.pid).ofChildren;
}
