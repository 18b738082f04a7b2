import { table } from '../table.mjs';
import { calmRows } from './calm.mjs';
import { crowdRows } from './crowd.mjs';
import { makeGround } from './ground.mjs';
import { memoryRows } from './memory.mjs';
import { versionOf } from './native.mjs';
import { writePage } from './page.mjs';
import { startServers } from './servers.mjs';
import { toolRows } from './tools.mjs';
import { workRows } from './work-rows.mjs';

const PROGRAMS = ['rg', 'find', 'ls', 'tail', 'sed'];

/** The filesystem server's tools against those of the reference server and the system's own programs, on generated trees. */
export async function filesystem({ rounds, write }) {
  const ground = makeGround();
  const servers = await startServers(ground.root);
  try {
    const parts = [];
    for (const rowsOf of [workRows, toolRows, calmRows, memoryRows, crowdRows])
      parts.push(...[await rowsOf(servers, ground, rounds)].flat());
    const missing = PROGRAMS.filter((program) => versionOf(program) === undefined);
    const report = {
      title: 'Filesystem server',
      body: [
        ...missing.map((program) => `${program} is not installed: what it would be compared with is missed.`),
        ...parts.map(({ heading, header, rows }) => `${heading}\n\n${table(header, rows)}`),
      ].join('\n\n'),
      bars: parts.flatMap(({ bars }) => bars),
    };
    if (write) writePage(parts, report.bars, { rounds, programs: PROGRAMS });
    return report;
  } finally {
    await servers.close();
    ground.remove();
  }
}
