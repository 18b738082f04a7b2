import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { table } from '../table.mjs';
import { Client } from './client.mjs';
import { makeGround } from './ground.mjs';
import { byProgram, byTool, measure, ratioOf } from './measure.mjs';
import { versionOf } from './native.mjs';
import { workOn } from './work.mjs';

const OURS = fileURLToPath(new URL('../../servers/fs/bin/mcp-fs.js', import.meta.url));
const THEIRS = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'));
const REFERENCE = 'reference';
const LIMITS = ['--max-entries', '100000', '--max-matches', '50000', '--max-read-bytes', '1572864'];

/** The filesystem server's tools against the reference server's and what the system itself has, on generated trees. */
export async function filesystem({ rounds }) {
  const ground = makeGround();
  const state = mkdtempSync(join(tmpdir(), 'mcp-bench-state-'));
  const clients = [];
  try {
    const start = async (name, args) => {
      const client = await Client.start(name, args);
      clients.push(client);
      return client;
    };
    const ours = await start('mcp-fs', [OURS, ...LIMITS, '--state-dir', state, ground.root]);
    const theirs = await start(REFERENCE, [THEIRS, ground.root]);
    const rows = [];
    for (const work of workOn(ground)) rows.push(await measured(work, { ours, theirs, rounds }));
    return {
      title: 'Filesystem server: milliseconds, and of them on a processor',
      body: table(['', '', 'ms', 'processor', 'mcp-fs of it'], rows.flatMap(linesOf)),
      bars: rows.map(barOf),
    };
  } finally {
    await Promise.all(clients.map((client) => client.close()));
    ground.remove();
    rmSync(state, { recursive: true });
  }
}

async function measured(work, { ours, theirs, rounds }) {
  const native = Object.entries(work.native).filter(([, [command]]) => versionOf(command) !== undefined);
  const ways = {
    'mcp-fs': byTool(ours, work.tool, work.ours, work.isWhole),
    ...Object.fromEntries(native.map(([name, command]) => [name, byProgram(command)])),
    ...(work.theirs && { [REFERENCE]: byTool(theirs, work.tool, work.theirs) }),
  };
  return { ...work, values: await measure(ways, rounds) };
}

function linesOf({ name, values }) {
  return Object.entries(values).map(([way, value], index) => [
    index === 0 ? name : '',
    way,
    value.ms.toFixed(1),
    value.busyMs.toFixed(0),
    ratioOf(values['mcp-fs'], value).toFixed(2),
  ]);
}

function barOf({ name, native, values, bar }) {
  const [peer] = Object.keys(native);
  if (values[peer] === undefined) return { text: `${name}: ${native[peer][0]} is not installed`, met: false };
  const ratio = ratioOf(values['mcp-fs'], values[peer]);
  return { text: `${name}: at most ${bar} of ${peer}: ${ratio.toFixed(2)}`, met: ratio <= bar };
}
