import { readdirSync, readFileSync } from 'node:fs';

/** Returns the number of inotify watches of a process. */
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
