import { lstatSync, type BigIntStats } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { isSettled, findNearestDirectory, CLOCK_TICK_MS } from '../directories/directory.ts';
import { isMissing } from '../system/watch-errors.ts';
import { listTargetsBetween, type WatchedResource } from './watched-resource.ts';

/** Maximum number of times that a file is examined while it is being written; then its state is accepted. */
const MAX_LOOKS = 3;

/**
 * Creates a resource for a file, whether or not the file exists. Its fingerprint consists of inode, size and times, so a touch or
 * a chmod is a change.
 *
 * @param file absolute real path; behind a symbolic link, or as a link itself, the file counts as missing
 * @param within absolute real path of a parent. If a directory between this parent and the file is moved or replaced, the
 *   change is reported at once, otherwise within 30 s. Default: the directory of the file
 */
export function fileResource(file: string, within: string = path.dirname(file)): WatchedResource {
  return {
    key: `file:${within}:${file}`,
    targets: [...listTargetsBetween(within, file), { kind: 'file', path: file }],
    fingerprint: () => {
      const facts = readFacts(file);
      return facts === undefined || isSettled(facts) ? formatFingerprint(facts) : waitUntilSettled(file);
    },
  };
}

async function waitUntilSettled(file: string): Promise<string> {
  let facts: BigIntStats | undefined;
  for (let looks = 1; looks < MAX_LOOKS; looks++) {
    await delay(CLOCK_TICK_MS, undefined, { ref: false });
    facts = readFacts(file);
    if (facts === undefined || isSettled(facts)) break;
  }
  return formatFingerprint(facts);
}

/** Examines a file synchronously, because a call takes 3 µs and a promise 50 to 150 µs. */
function readFacts(file: string): BigIntStats | undefined {
  const directory = path.dirname(file);
  if (findNearestDirectory(directory).path !== directory) return undefined;
  try {
    const facts = lstatSync(file, { bigint: true, throwIfNoEntry: false });
    return facts?.isSymbolicLink() === true ? undefined : facts;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function formatFingerprint(facts: BigIntStats | undefined): string {
  if (facts === undefined) return 'absent';
  // A write in the same clock tick leaves all numbers equal, so the next fingerprint must differ.
  const state = isSettled(facts) ? 'settled' : 'written';
  return [facts.dev, facts.ino, facts.size, facts.mtimeNs, facts.ctimeNs, state].join(' ');
}
