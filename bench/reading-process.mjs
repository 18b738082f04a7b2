import { deepEqual, throws } from 'node:assert/strict';

import { ENTRY, LISTING, WRONG_ENTRIES, WRONG_LISTINGS } from './inputs.mjs';
import { READERS } from './readers.mjs';
import { timePerCall } from './time-per-call.mjs';

/** Samples that are taken before any counts: what the engine makes of the code settles in the first of them. */
const WARM_UP = 8;

/**
 * `node reading-process.mjs READER OTHERS`: one reader in a process of its own, because class-validator's storage is global, next
 * to that many other classes that were read once. Answers each message, a shape, with the microseconds of reading it.
 */
const [name, others] = process.argv.slice(2);
const shapes = READERS[name];
// Held, because they would be collected otherwise.
globalThis.others = Array.from({ length: Number(others) }, () => {
  const read = shapes.other();
  read(ENTRY);
  return read;
});

const samples = {
  entry: sampler(shapes.entry(), ENTRY, WRONG_ENTRIES),
  listing: sampler(shapes.listing(), LISTING, WRONG_LISTINGS),
};
process.on('message', (shape) => process.send(samples[shape]()));

function sampler(read, value, wrong) {
  deepEqual(JSON.parse(JSON.stringify(read(value))), value);
  for (const each of wrong) throws(() => read(each), TypeError);
  const sample = () => timePerCall(() => read(value));
  for (let each = 0; each < WARM_UP; each += 1) sample();
  return sample;
}
