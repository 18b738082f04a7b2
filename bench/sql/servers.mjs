import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { startClient } from '../clients/client.mjs';
import { referenceServers } from './reference-servers.mjs';

const OURS = fileURLToPath(new URL('../../servers/sql/bin/mcp-sql.js', import.meta.url));

/** Starts servers, each with its client, that read a database. */
export function serversOf() {
  const state = mkdtempSync(join(tmpdir(), 'mcp-bench-state-'));
  const references = referenceServers();
  const started = [];
  const start = async (name, { command, args }, options) => {
    const client = await startClient(name, args, { ...options, command });
    started.push(client);
    return client;
  };
  const ours = (...args) => startOf(state, ...args);
  return {
    ours,
    references,
    startOurs: (args, options) => start('mcp-sql', ours(...args), options),
    startReference: (name, url) => start(name, references[name](url)),
    async close() {
      await Promise.all(started.map((client) => client.close()));
      rmSync(state, { recursive: true });
    },
  };
}

/** Returns the command that starts the bundled server with its default limits and a state directory. */
export function startOf(state, ...args) {
  return { command: process.execPath, args: [OURS, '--state-dir', state, ...args] };
}
