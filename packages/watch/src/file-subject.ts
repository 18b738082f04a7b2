import { lstatSync, type BigIntStats } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { nearestDirectory } from './directories/directory.ts';
import { isMissing } from './error-code.ts';
import { isSettled, TICK } from './settled.ts';
import { placesBetween } from './places-between.ts';
import type { Subject } from './subject.ts';

/** As often a file that is being written is looked at again before it is taken as it is. */
const LOOKS = 3;

/**
 * A file, there or not, by its inode, size and times: a touch or a chmod is a change too.
 *
 * @param file absolute and real; one that comes to lie behind a symbolic link counts as gone, and so does one that becomes a link
 * @param within absolute and real, a directory above: that one on the way from it is moved or replaced is told at once, otherwise within 30 s
 */
export function fileSubject(file: string, within: string = path.dirname(file)): Subject {
  return {
    key: `file:${within}:${file}`,
    places: [...placesBetween(within, file), { kind: 'file', path: file }],
    fingerprint: () => {
      const facts = look(file);
      return facts === undefined || isSettled(facts) ? stateOf(facts) : settledState(file);
    },
  };
}

async function settledState(file: string): Promise<string> {
  let facts: BigIntStats | undefined;
  for (let looks = 1; looks < LOOKS; looks++) {
    await delay(TICK, undefined, { ref: false });
    facts = look(file);
    if (facts === undefined || isSettled(facts)) break;
  }
  return stateOf(facts);
}

/** Asked of the system at once: 3 µs, where a promise of it costs 50 to 150. */
function look(file: string): BigIntStats | undefined {
  const directory = path.dirname(file);
  if (nearestDirectory(directory).path !== directory) return undefined;
  try {
    const facts = lstatSync(file, { bigint: true, throwIfNoEntry: false });
    return facts?.isSymbolicLink() === true ? undefined : facts;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function stateOf(facts: BigIntStats | undefined): string {
  if (facts === undefined) return 'absent';
  // A write in the same clock tick would leave every number as it is: what is read next must differ then.
  const state = isSettled(facts) ? 'settled' : 'written';
  return [facts.dev, facts.ino, facts.size, facts.mtimeNs, facts.ctimeNs, state].join(' ');
}
