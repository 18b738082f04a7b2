import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const DIRECTORIES = 500;
export const FILES = 50_000;

export const SUBSCRIBED = 5000;
export const WRITTEN = 10_000;

const [PER_DIRECTORY, SUBSCRIBED_OF_IT, WRITTEN_OF_IT] = [FILES, SUBSCRIBED, WRITTEN].map((files) => files / DIRECTORIES);

/** Creates the tree in a new directory: 500 directories with 100 files each. */
export function makeTree() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-bench-watch-')));
  for (let directory = 0; directory < DIRECTORIES; directory += 1) mkdirSync(join(root, String(directory)));
  for (const file of files(root, 0, PER_DIRECTORY)) writeFileSync(file, 'old');
  return { root, remove: () => rmSync(root, { recursive: true }) };
}

/** Lists the subscribed files, some from each directory. */
export function subscribedFiles(root) {
  return files(root, 0, SUBSCRIBED_OF_IT);
}

/** Lists the written files, some from each directory; they include half of the subscribed files. */
export function writtenFiles(root) {
  const from = SUBSCRIBED_OF_IT / 2;
  return files(root, from, from + WRITTEN_OF_IT);
}

export function writeAll(root) {
  for (const file of writtenFiles(root)) writeFileSync(file, 'something new');
}

/** Writes files without a subscription until there are more events than the event queue of the system can hold. */
export function fillQueue(root) {
  const others = files(root, SUBSCRIBED_OF_IT, PER_DIRECTORY);
  const room = Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8'));
  for (let events = 0; events <= room; events += others.length) for (const file of others) writeFileSync(file, 'something else');
}

function files(root, from, to) {
  const names = Array.from({ length: to - from }, (_, index) => `${from + index}.txt`);
  return Array.from({ length: DIRECTORIES }, (_, directory) => names.map((name) => join(root, String(directory), name))).flat();
}
