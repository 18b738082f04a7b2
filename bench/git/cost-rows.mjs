import { MILLION } from './histories.mjs';

const LOGGED = 1000;
const BYTES = 0.5;
const MEMORY_MB = 64;

/** Measures the size of a long log, and the memory for results that are much larger than an answer. */
export async function costRows(servers, ground) {
  const [bytes, memory] = [await logBytes(servers, ground), await memoryGrowth(servers, ground)];
  const ratio = bytes.own / bytes.other;
  return {
    heading: 'Size and memory of answers',
    header: ['', 'mcp-git', 'reference'],
    rows: [
      [`kB of the answer with ${LOGGED} commits`, ...[bytes.own, bytes.other].map(kilobytes)],
      ...memory.map(({ name, own, other }) => [name, own.toFixed(0), other === undefined ? '' : other.toFixed(0)]),
    ],
    bars: [
      {
        text: `a log of ${LOGGED} commits has at most ${BYTES} of the reference's bytes: ${ratio.toFixed(3)}`,
        met: ratio <= BYTES,
      },
      ...memory.map(({ name, own }) => ({ text: `at most ${MEMORY_MB} ${name}: ${own.toFixed(0)}`, met: own <= MEMORY_MB })),
    ],
  };
}

async function logBytes({ startWhole, startTheirs }, { history }) {
  const [ours, theirs] = [await startWhole(), await startTheirs()];
  const own = await ours.call('git_log', { repo_path: history, max_count: LOGGED });
  const other = await theirs.call('git_log', { path: history, maxCount: LOGGED });
  if (own.result.structuredContent.commits.length !== LOGGED) throw new Error('the log was cut');
  return { own: own.bytes, other: other.bytes };
}

/** Measures the growth of the peak memory of a server, in MiB, compared with the memory after its first call. */
async function memoryGrowth(servers, { differences, million }) {
  const diff = [
    ['git_diff', { repo_path: differences, target: 'main..added' }],
    ['git_diff', { path: differences, source: 'main', target: 'added' }],
  ];
  const log = [
    ['git_log', { repo_path: million }],
    ['git_log', { path: million }],
  ];
  return [
    { name: 'MiB of memory for a diff of 200 MB', ...(await growths(servers, differences, diff)) },
    ...(million === undefined
      ? []
      : [{ name: `MiB of memory for the first page of ${MILLION} commits`, ...(await growths(servers, million, log)) }]),
  ];
}

async function growths({ startOurs, startTheirs }, path, [own, other]) {
  return {
    own: await growth(await startOurs(), { repo_path: path }, own),
    other: await growth(await startTheirs(), { path }, other),
  };
}

async function growth(client, args, call) {
  await client.call('git_branch', args);
  const before = client.memory().now;
  // An error is ignored, because the memory of a failed call counts, too.
  await client.call(...call).catch(() => undefined);
  return client.memory().most - before;
}

function kilobytes(bytes) {
  return (bytes / 1000).toFixed(0);
}
