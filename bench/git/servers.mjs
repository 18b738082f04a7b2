import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { startClient } from '../clients/client.mjs';

const OURS = fileURLToPath(new URL('../../servers/git/bin/mcp-git.js', import.meta.url));
const THEIRS = fileURLToPath(import.meta.resolve('@cyanheads/git-mcp-server'));

/** Options that raise the limits of the server, so that it does not truncate what the other programs print in full. */
const WHOLE = ['--max-bytes', '1048576', '--max-entries', '50000', '--max-commits', '1000'];

/**
 * Returns functions that start a server with its client, for the repositories below a directory. `close` closes all started
 * clients and removes the state directory.
 */
export function serversIn(root) {
  const state = mkdtempSync(join(tmpdir(), 'mcp-bench-state-'));
  const started = [];
  const start = async (name, args, options) => {
    const client = await startClient(name, args, options);
    started.push(client);
    return client;
  };
  const ours = (args) => [OURS, '--state-dir', state, ...args, root];
  return {
    /** Arguments of Node.js that start each server with its default limits. */
    commands: { ours: ours([]), theirs: [THEIRS] },
    /** Starts the bundled server with its default limits. */
    startOurs: (options, ...args) => start('mcp-git', ours(args), options),
    /** Starts the bundled server with limits that allow the same amount of output as the other programs. */
    startWhole: (options) => start('mcp-git', ours(WHOLE), options),
    startTheirs: (options) => start('reference', [THEIRS], options),
    async close() {
      await Promise.all(started.map((client) => client.close()));
      rmSync(state, { recursive: true });
    },
  };
}
