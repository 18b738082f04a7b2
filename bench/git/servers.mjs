import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { startClient } from '../client.mjs';

const OURS = fileURLToPath(new URL('../../servers/git/bin/mcp-git.js', import.meta.url));
const THEIRS = fileURLToPath(import.meta.resolve('@cyanheads/git-mcp-server'));

/** As much as one answer may hold: else there would be less of it than of the others' answers. */
const WHOLE = ['--max-bytes', '1572864', '--max-entries', '50000', '--max-commits', '1000'];

/** Starts servers, each with its client, for the repositories below a directory. */
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
    /** Arguments for node that start either, as they are without options. */
    commands: { ours: ours([]), theirs: [THEIRS] },
    /** The bundled server, with its own limits. */
    startOurs: (options, ...args) => start('mcp-git', ours(args), options),
    /** The bundled server, with limits that let it answer as much as the others do. */
    startWhole: (options) => start('mcp-git', ours(WHOLE), options),
    startTheirs: (options) => start('reference', [THEIRS], options),
    async close() {
      await Promise.all(started.map((client) => client.close()));
      rmSync(state, { recursive: true });
    },
  };
}
