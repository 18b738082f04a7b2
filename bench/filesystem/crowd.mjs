import { delayDuring } from './event-loop-delay.mjs';
import { CROWD, makeCrowd } from './fixtures.mjs';

const MEMORY_MB = 400;

/** Measures the time and memory of each listing tool in a very large directory, and the delay of other calls. */
export async function crowdRows({ startOurs }, ground) {
  makeCrowd(ground);
  const path = ground.crowd;
  const work = [
    ['list_directory, by name', 'list_directory', { path, limit: 100 }],
    ['list_directory, the latest first', 'list_directory', { path, limit: 100, sortBy: 'mtime' }],
    ['list_directory_with_sizes', 'list_directory_with_sizes', { path, limit: 100 }],
    ['search_files', 'search_files', { path, pattern: '*99999*' }],
    ['directory_tree', 'directory_tree', { path, maxEntries: 100 }],
  ];
  const ours = await startOurs('--max-search-time', '60s');
  const rows = [];
  for (const [name, tool, args] of work) {
    await ours.call(tool, args);
    rows.push([name, (await ours.call(tool, args)).ms.toFixed(0), ours.memory().most.toFixed(0)]);
  }
  const calm = await delayDuring(ours, {
    name: `a list of ${CROWD} entries`,
    tool: 'list_directory',
    args: work[1][2],
    trivial: ['get_file_info', { path: ground.source }],
  });
  const { most } = ours.memory();
  const listed = {
    heading: `A directory of ${CROWD} entries: milliseconds of a call, and the most MiB up to then`,
    header: ['', 'ms', 'MiB'],
    rows,
    bars: [{ text: `it takes less than ${MEMORY_MB} MiB: ${most.toFixed(0)}`, met: most < MEMORY_MB }],
  };
  return [listed, calm];
}
