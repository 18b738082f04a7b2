import { calmWhile } from './calm.mjs';
import { CROWD, makeCrowd } from './ground.mjs';

const MEMORY_MB = 400;

/** A directory that is too large for most: what each tool that lists takes of time and memory, and what it leaves of them. */
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
  const ours = await startOurs('--max-search-ms', '60000');
  const rows = [];
  for (const [name, tool, args] of work) {
    await ours.call(tool, args);
    rows.push([name, (await ours.call(tool, args)).ms.toFixed(0), ours.memory().most.toFixed(0)]);
  }
  const calm = await calmWhile(ours, {
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
