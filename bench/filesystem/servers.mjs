import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { startClient } from '../clients/client.mjs';

const OURS = fileURLToPath(new URL('../../servers/fs/bin/mcp-fs.js', import.meta.url));
const THEIRS = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'));

/** Options that raise the limits of the server, so that it does not truncate what the other programs print in full. */
const LIMITS = ['--max-entries', '100000', '--max-matches', '50000', '--max-bytes', '1048576', '--max-scanned', '2000000'];

/** Starts the bundled server and the reference server, each with its client. */
export async function startServers(root) {
  const state = mkdtempSync(join(tmpdir(), 'mcp-bench-state-'));
  const started = [];
  const start = async (name, args) => {
    const client = await startClient(name, args);
    started.push(client);
    return client;
  };
  const startOurs = (...args) => start('mcp-fs', [OURS, ...LIMITS, ...args, '--state-dir', state, root]);
  return {
    ours: await startOurs(),
    theirs: await start('reference', [THEIRS, root]),
    /** Starts another instance of mcp-fs, without earlier calls. */
    startOurs,
    async close() {
      await Promise.all(started.map((client) => client.close()));
      rmSync(state, { recursive: true });
    },
  };
}
