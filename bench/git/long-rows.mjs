import { setTimeout as pause } from 'node:timers/promises';

import { untilChildren } from '../measuring/child-processes.mjs';
import { median } from '../measuring/statistics.mjs';
import { BLAMED, NEVER } from './histories.mjs';

const FIRST_PROGRESS_MS = 200;
const CANCELLED_MS = 1000;
const CUT_MS = 50;
const TIMES = 5;
/** Milliseconds after which the work is cancelled. */
const WORKING_MS = 200;

/** Measures when long work reports its first progress, and how long git runs after its result is no longer needed. */
export async function longRows({ startOurs, startWhole, startTheirs }, { blame, differences, history }) {
  const blaming = ['git_blame', { repo_path: blame, path: BLAMED }];
  const progress = median(await firstProgress(startWhole, blaming));
  const cut = await afterCut(await startOurs(), ['git_diff', { repo_path: differences, target: 'main..added' }]);
  const pickaxe = await afterCancel(await startOurs(), ['git_log', { repo_path: history, pickaxe: NEVER }]);
  const blamed = await afterCancel(await startWhole(), blaming);
  const theirs = await afterCancel(await startTheirs(), ['git_blame', { path: blame, filePath: BLAMED }]);
  return {
    heading: 'Work that takes long: milliseconds',
    header: ['', 'mcp-git', 'reference'],
    rows: [
      ['from the request for a blame to the first progress', progress.toFixed(0), 'none'],
      ['from the truncated answer with a diff of 200 MB to the end of git', cut.toFixed(0), ''],
      ['from cancelling a pickaxe to the end of git', pickaxe.toFixed(0), ''],
      ['from cancelling a blame to the end of git', blamed.toFixed(0), theirs.toFixed(0)],
    ],
    bars: [
      barOf('a blame reports its progress', progress, FIRST_PROGRESS_MS),
      barOf('git ends after a diff that was truncated', cut, CUT_MS),
      barOf('git ends after a pickaxe was cancelled', pickaxe, CANCELLED_MS),
      barOf('git ends after a blame was cancelled', blamed, CANCELLED_MS),
    ],
  };
}

function barOf(text, ms, most) {
  return { text: `${text} within ${most} ms: ${ms.toFixed(0)}`, met: ms < most };
}

async function firstProgress(start, call) {
  let heard = () => undefined;
  const client = await start({
    onNotification: (message, arrived) => message.method === 'notifications/progress' && heard(arrived),
  });
  const times = [];
  // The first call includes the inspection of the repository and is not counted.
  for (let time = 0; time <= TIMES; time += 1) {
    const reported = new Promise((resolve) => (heard = resolve));
    const began = performance.now();
    const { answer } = client.begin(...call, time);
    const first = await Promise.race([reported, answer.then(() => Number.POSITIVE_INFINITY)]);
    await answer;
    if (time > 0) times.push(first - began);
  }
  return times;
}

/** Returns the longest time in milliseconds for which a git process still existed after an answer. */
async function afterCut(client, call) {
  const times = [];
  while (times.length < TIMES) {
    const { result } = await client.call(...call);
    const time = await untilChildren(client.pid, false);
    if (!result._meta.truncated) throw new Error('the diff was not cut');
    times.push(time);
  }
  return Math.max(...times);
}

/** Returns the longest time in milliseconds for which a git process still existed after a call was cancelled. */
async function afterCancel(client, call) {
  const times = [];
  while (times.length < TIMES) {
    const { answer, cancel } = client.begin(...call);
    answer.catch(() => undefined);
    await untilChildren(client.pid, true);
    await pause(WORKING_MS);
    cancel();
    times.push(await untilChildren(client.pid, false));
  }
  return Math.max(...times);
}
