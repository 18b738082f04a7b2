import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { systemWatches } from '../measuring/system-watches.mjs';
import { median } from '../measuring/statistics.mjs';
import { TREE_FILES } from './histories.mjs';

const READY_MS = 200;
const SERVERS = 5;

/**
 * Measures a subscription to the status of many files: the time until it is active, its cost, and the delay until a new file is
 * reported.
 */
export async function subscriptionRows(servers, { tree }) {
  const measured = [];
  while (measured.length < SERVERS) measured.push(await subscribed(servers, tree));
  const [ready, notified, memory] = ['ready', 'notified', 'memory'].map((name) => median(measured.map((each) => each[name])));
  const { watches } = measured.at(-1);
  const directories = directoriesOf(tree);
  return {
    heading: `A subscribed status of ${TREE_FILES} files`,
    header: ['', ''],
    rows: [
      ['ms from subscribing to the confirmation', ready.toFixed(0)],
      ['ms from a new file to its notification', notified.toFixed(0)],
      ['watches of the system', String(watches)],
      ['directories of the work tree and the git directory', String(directories)],
      ['MiB of memory that it takes', memory.toFixed(0)],
    ],
    bars: [
      { text: `it is watched within ${READY_MS} ms: ${ready.toFixed(0)}`, met: ready <= READY_MS },
      { text: `by at most one watch for each of ${directories} directories: ${watches}`, met: watches <= directories },
    ],
  };
}

async function subscribed({ startOurs }, tree) {
  let updated = () => undefined;
  const onNotification = (message, arrived) => message.method === 'notifications/resources/updated' && updated(arrived);
  const client = await startOurs({ onNotification });
  const { result } = await client.call('git_status', { repo_path: tree });
  const before = client.memory().now;
  const { ms: ready } = await client.ask('resources/subscribe', { uri: `git://${result.structuredContent.repository}/status` });
  const notified = new Promise((resolve) => (updated = resolve));
  const began = performance.now();
  const file = join(tree, `directory-0/notified-${process.pid}.txt`);
  try {
    writeFileSync(file, 'new');
    const arrived = await notified;
    return { ready, notified: arrived - began, watches: systemWatches(client.pid), memory: client.memory().now - before };
  } finally {
    rmSync(file);
    await client.close();
  }
}

/** Counts the directories that need a watch: all except those of git objects. */
function directoriesOf(tree) {
  const entries = readdirSync(tree, { withFileTypes: true, recursive: true });
  const objects = join(tree, '.git', 'objects');
  const paths = entries.filter((entry) => entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
  return 1 + paths.filter((path) => !path.startsWith(objects)).length;
}
