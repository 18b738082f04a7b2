import { readdirSync, readFileSync } from 'node:fs';

/** How many watches of the system a process holds. */
export function systemWatches(pid) {
  const directory = `/proc/${pid}/fdinfo`;
  const infos = readdirSync(directory).map((descriptor) => {
    try {
      return readFileSync(`${directory}/${descriptor}`, 'utf8');
    } catch {
      return '';
    }
  });
  return infos.join('').split('inotify wd').length - 1;
}
