import { statSync } from 'node:fs';

const MEMORY_MB = 100;
const WIRE = 1.15;

/** Measures the memory and answer size of reading, with a server that does nothing else. */
export async function memoryRows({ startOurs, theirs }, { log, line, source }) {
  const ours = await startOurs();
  const begin = ours.memory().now;
  const reads = { whole: { path: log }, tail: { path: log, tail: 100_000 }, line: { path: log, offset: 5_999_999, limit: 1 } };
  for (const args of [...Object.values(reads), { path: line, head: 1 }]) await ours.call('read_text_file', args);
  const { most } = ours.memory();
  const body = statSync(source).size;
  const [wire, theirWire] = await Promise.all(
    [ours, theirs].map(async (client) => (await client.call('read_text_file', { path: source })).bytes / body),
  );
  return {
    heading: 'Memory and answer size of reading',
    header: ['', 'mcp-fs', 'reference'],
    rows: [
      ['bytes of the answer for each of a file of 1 MiB', wire.toFixed(2), theirWire.toFixed(2)],
      ['MiB of memory before it reads', begin.toFixed(0), ''],
      ['and the most after it has read in 1 GiB and in a line of 31 MB', most.toFixed(0), ''],
    ],
    bars: [
      { text: `an answer has at most ${WIRE} bytes for each that is read: ${wire.toFixed(3)}`, met: wire <= WIRE },
      { text: `reading in 1 GiB takes less than ${MEMORY_MB} MiB: ${most.toFixed(0)}`, met: most < MEMORY_MB },
    ],
  };
}
