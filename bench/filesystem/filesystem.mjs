import { versionOf } from '../measuring/native.mjs';
import { writePage } from '../measuring/page.mjs';
import { reportOf } from '../measuring/report.mjs';
import { eventLoopDelayRows } from './event-loop-delay.mjs';
import { crowdRows } from './crowd.mjs';
import { makeGround } from './fixtures.mjs';
import { growthOfFiles } from './growth.mjs';
import { memoryRows } from './memory.mjs';
import { startServers } from './servers.mjs';
import { toolRows } from './tools.mjs';
import { filesystemRows } from './work-rows.mjs';

const PAGE = {
  name: 'filesystem',
  title: 'Benchmarks of the filesystem server',
  introduction:
    'Each measurement starts the system’s programs again, and their time includes this start; the servers are warm. Trees and files are generated, and the same each time: 32,000 files in 2,000 directories, a file of 1 GiB, a directory of 10,000 entries and one of 1,000,000. The start of a server is measured by `npm run bench -- cold-start`, watchers by `npm run bench -- watch`.',
  reference: '`@modelcontextprotocol/server-filesystem` 2026.8.31',
};
const PROGRAMS = ['rg', 'find', 'ls', 'tail', 'sed'];

/**
 * Compares the tools of the filesystem server with the reference server and with programs of the system, on generated
 * trees.
 */
export async function filesystem({ rounds, write }) {
  const ground = makeGround();
  const servers = await startServers(ground.root);
  try {
    const parts = [];
    for (const rowsOf of [filesystemRows, toolRows, growthOfFiles, eventLoopDelayRows, memoryRows, crowdRows])
      parts.push(...[await rowsOf(servers, ground, rounds)].flat());
    const missing = PROGRAMS.filter((program) => versionOf(program) === undefined);
    if (write) writePage(PAGE, parts, { rounds, programs: PROGRAMS });
    const notes = missing.map(
      (program) => `${program} is not installed: the comparisons with it are missing, and bars that refer to it are missed.`,
    );
    return reportOf('Filesystem server', parts, notes);
  } finally {
    await servers.close();
    ground.remove();
  }
}
