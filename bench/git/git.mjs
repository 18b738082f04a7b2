import { writePage } from '../measuring/page.mjs';
import { reportOf } from '../measuring/report.mjs';
import { workRows } from '../measuring/work-rows.mjs';
import { blobWork } from './blob-work.mjs';
import { costRows } from './cost-rows.mjs';
import { everydayWork } from './everyday-work.mjs';
import { makeGround } from './fixtures.mjs';
import { growthOfGit } from './growth.mjs';
import { processRows } from './process-rows.mjs';
import { longRows } from './long-rows.mjs';
import { serversIn } from './servers.mjs';
import { startWork } from './start-work.mjs';
import { subscriptionRows } from './subscription-rows.mjs';
import { workOn } from './work.mjs';

const PAGE = {
  name: 'git',
  title: 'Benchmarks of the git server',
  introduction:
    'The difference between two times is the median of the differences in single rounds. Each measurement starts git again, and its time includes this start; the servers are warm. Repositories are generated, and the same each time: 20,000 commits of 2,000 files, a work tree of 50,000 files, a file of 6,000 lines by 1,200 commits, differences of 3.5 MB and of 200 MB.',
  reference: '`@cyanheads/git-mcp-server` 2.15.3',
};
const WORK = { own: 'mcp-git', heading: 'Milliseconds of a call, and CPU time' };

/** Compares the tools of the git server with plain git and with a widely used server, on generated repositories. */
export async function git({ rounds, write, million }) {
  const ground = await makeGround([
    'history',
    'tree',
    'tree-5000',
    'tree-500',
    'differences',
    'blame',
    ...(million ? ['million'] : []),
  ]);
  const servers = serversIn(ground.root);
  try {
    const parts = [];
    for (const rowsOf of [calls, growthOfGit, processRows, costRows, longRows, subscriptionRows])
      parts.push(await rowsOf(servers, ground, rounds));
    if (write) writePage(PAGE, parts, { rounds, programs: ['git'] });
    return reportOf('Git server', parts);
  } finally {
    await servers.close();
  }
}

async function calls({ commands, startOurs, startWhole, startTheirs }, ground, rounds) {
  const clients = {
    ours: await startWhole(),
    capped: await startOurs({}, '--max-bytes', '65536'),
    complete: await startOurs({}, '--tools', 'all'),
    theirs: await startTheirs(),
  };
  const works = [
    await startWork(commands),
    ...(await workOn(clients, ground)),
    ...everydayWork(clients, ground),
    await blobWork(clients, ground),
  ];
  return workRows(WORK, works, rounds);
}
