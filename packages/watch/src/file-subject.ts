import type { BigIntStats } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { isMissing } from './error-code.ts';
import { isSettled, TICK } from './settled.ts';
import type { Subject } from './subject.ts';

/** As often a file that is being written is looked at again before it is taken as it is. */
const LOOKS = 3;

/**
 * A file, there or not, by its inode, size and times: a touch or a chmod is a change too.
 *
 * @param file absolute and real; one that comes to lie behind a symbolic link counts as gone
 */
export function fileSubject(file: string): Subject {
  return {
    key: `file:${file}`,
    places: [{ kind: 'file', path: file }],
    fingerprint: () => fingerprint(file),
  };
}

async function fingerprint(file: string): Promise<string> {
  let facts = await look(file);
  for (let looks = 1; looks < LOOKS && facts !== undefined && !isSettled(facts); looks++) {
    await delay(TICK, undefined, { ref: false });
    facts = await look(file);
  }
  if (facts === undefined) return 'absent';
  // A write in the same clock tick would leave every number as it is: what is read next must differ then.
  const state = isSettled(facts) ? 'settled' : 'written';
  return [facts.ino, facts.size, facts.mtimeNs, facts.ctimeNs, state].join(' ');
}

async function look(file: string): Promise<BigIntStats | undefined> {
  const directory = path.dirname(file);
  try {
    const facts = await lstat(file, { bigint: true });
    return (await realpath(directory)) === directory ? facts : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
