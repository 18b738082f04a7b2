import { timeOf } from '../measuring/native.mjs';
import { processorTime } from '../measuring/processor-time.mjs';

const BLOBS = 500;

/**
 * Measures reading files of a commit as resources, one after the other and all at once, compared with `git cat-file`.
 */
export async function blobWork({ ours }, { history }) {
  const names = Array.from({ length: BLOBS }, (_, file) => `src/area-${file % 40}/part-${file}.ts`);
  const { result } = await ours.call('git_status', { repo_path: history });
  const uris = names.map((name) => `git://${result.structuredContent.repository}/blob/main/${name}`);
  const read = async (uri) => ours.ask('resources/read', { uri });
  const input = names.map((name) => `main:${name}\n`).join('');
  return {
    name: `${BLOBS} files of a commit`,
    ways: {
      'mcp-git': wayOf(ours, () => Promise.all(uris.map(read))),
      'mcp-git, one after the other': wayOf(ours, () => oneByOne(uris, read)),
      'git cat-file --batch': {
        once: () => timeOf(['git', '-C', history, 'cat-file', '--batch'], { input }),
        busyMs: () => processorTime(process.pid).ofChildren,
      },
    },
    bars: [{ of: 'git cat-file --batch', times: 3 }],
  };
}

function wayOf(client, work) {
  return {
    once: async () => {
      const began = performance.now();
      await work();
      return performance.now() - began;
    },
    busyMs: () => client.busyMs(),
  };
}

async function oneByOne(all, work) {
  for (const each of all) await work(each);
}
