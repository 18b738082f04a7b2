import { closeSync, mkdirSync, mkdtempSync, openSync, realpathSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { randomBy } from '../generated/random.mjs';
import { codeOf, linesOf, sentenceOf, wordOf } from '../generated/source-text.mjs';

const SEED = 7;
const MIB = 1_048_576;

export const DIRECTORIES = 2000;
/** Number of files; a tree of more would not fit into one answer. */
export const FILES = 32_000;
export const LISTED = 10_000;
/** Number of entries of the very large directory. */
export const CROWD = 1_000_000;

/**
 * Median size in bytes of the files of a source tree, and the spread of the sizes: a tenth of the files are more than
 * six times as large as the median.
 */
const MEDIAN = 1200;
const SPREAD = 1.4;
const LARGEST = 262_144;

/** Text of the search. One of `ONE_IN` files contains it. */
export const NEEDLE = 'acquireLedgerLock(';
const ONE_IN = 150;

const ENDINGS = ['.ts', '.ts', '.ts', '.tsx', '.js', '.json', '.md', '.css', '.spec.ts'];

/** Creates the trees and files of the measurements in a new directory; they are the same each time. */
export function makeGround() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-bench-files-')));
  const ground = {
    root,
    tree: join(root, 'tree'),
    list: join(root, 'list'),
    log: join(root, 'large.log'),
    line: join(root, 'line.json'),
    source: join(root, 'source.ts'),
    scratch: join(root, 'scratch'),
    crowd: join(root, 'crowd'),
    remove: () => rmSync(root, { recursive: true }),
  };
  const random = randomBy(SEED);
  const text = sourceBy(random);
  makeTree(ground.tree);
  makeList(ground.list);
  makeLog(ground.log, random);
  writeFileSync(ground.line, `{"rows":[${'{"id":1,"name":"a row"},'.repeat(31 * 45_590)}{}]}`);
  writeFileSync(ground.source, text.subarray(0, MIB));
  mkdirSync(ground.scratch);
  return ground;
}

/** Creates the very large directory, which takes half a minute; only called if the directory is needed. */
export function makeCrowd({ crowd }) {
  mkdirSync(crowd);
  for (let each = 0; each < CROWD; each += 1) closeSync(openSync(join(crowd, `event-${(each * 7919) % CROWD}.json`), 'wx'));
}

function sourceBy(random) {
  return Buffer.from(linesOf(8 * MIB, () => codeOf(random)));
}

/** Creates a source tree in a new directory. */
export function makeTree(tree, { files = FILES, directories: count = DIRECTORIES } = {}) {
  const random = randomBy(SEED);
  const text = sourceBy(random);
  const directories = [tree];
  mkdirSync(tree);
  while (directories.length < count) {
    const parent = directories[Math.floor(directories.length * random() ** 2)];
    const directory = join(parent, `${wordOf(random)}-${directories.length}`);
    mkdirSync(directory);
    directories.push(directory);
  }
  for (let file = 0; file < files; file += 1) {
    const name = `${wordOf(random)}-${wordOf(random)}-${file}${ENDINGS[Math.floor(random() * ENDINGS.length)]}`;
    const size = Math.min(LARGEST, Math.round(MEDIAN * Math.exp(SPREAD * normal(random))));
    const from = Math.floor(random() * (text.length - size));
    const found = Buffer.from(file % ONE_IN === 0 ? `\n  await ${NEEDLE}${file});\n` : '');
    writeFileSync(join(directories[file % count], name), Buffer.concat([text.subarray(from, from + size), found]));
  }
}

/** Creates a directory with many files. */
export function makeList(list, files = LISTED) {
  const random = randomBy(SEED);
  mkdirSync(list);
  for (let file = 0; file < files; file += 1) {
    writeFileSync(join(list, `${wordOf(random)}-${file}.txt`), 'x'.repeat(Math.floor(random() * 2000)));
  }
}

/** Creates a log of 1 GiB. Its last lines are short, so that 60,000 of them fit into one answer. */
function makeLog(log, random) {
  const block = Buffer.from(
    linesOf(8 * MIB, () => `2026-01-01T00:00:00Z info ${sentenceOf(12, random)} ${Math.floor(random() * 1e9)}\n`),
  );
  const end = Buffer.from(linesOf(4 * MIB, () => `t ${Math.floor(random() * 1e9)} ok\n`));
  const descriptor = openSync(log, 'wx');
  for (let bytes = 1024 * MIB - end.length; bytes > 0; bytes -= block.length)
    writeSync(descriptor, block, 0, Math.min(bytes, block.length));
  writeSync(descriptor, end);
  closeSync(descriptor);
}

/** Returns a random number with a normal distribution around 0. */
function normal(random) {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
