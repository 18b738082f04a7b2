import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { startClient } from '../client.mjs';

const OURS = fileURLToPath(new URL('../../servers/fs/bin/mcp-fs.js', import.meta.url));
const THEIRS = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'));

/** As much as one answer may hold: else there would be less of it than of the programs' answers. */
const LIMITS = ['--max-entries', '100000', '--max-matches', '50000', '--max-read-bytes', '1572864', '--max-scanned', '2000000'];

/** The bundled server and the reference, each with its client. */
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
    /** One more of ours, which has done nothing yet. */
    startOurs,
    async close() {
      await Promise.all(started.map((client) => client.close()));
      rmSync(state, { recursive: true });
    },
  };
}
