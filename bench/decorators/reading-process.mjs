import { deepEqual, throws } from 'node:assert/strict';

import { ENTRY, LISTING, WRONG_ENTRIES, WRONG_LISTINGS } from './inputs.mjs';
import { READERS } from './readers.mjs';
import { timePerCall } from '../measuring/time-per-call.mjs';

/** Number of samples before the counted ones, because the engine optimizes the code during the first samples. */
const WARM_UP = 8;

/**
 * `node reading-process.mjs READER OTHERS`: measures one reader in a separate process, because the storage of
 * class-validator is global, together with OTHERS other classes that were read once. Each message names a shape and is
 * answered with the microseconds of reading it.
 */
const [name, others] = process.argv.slice(2);
const shapes = READERS[name];
// The other readers are kept in a global variable, so that they are not garbage-collected.
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
