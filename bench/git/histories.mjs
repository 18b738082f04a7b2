import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { randomBy } from '../generated/random.mjs';
import { codeOf, sentenceOf } from '../generated/source-text.mjs';
import { commitOf, git } from './fast-import.mjs';

const SEED = 11;

export const COMMITS = 20_000;
const FILES = 2000;
/** Search text that no commit contains, so that the search reads the whole history. */
export const NEVER = 'acquireNothingAtAll(';

export const TREE_FILES = 50_000;
const TREE_DIRECTORIES = 500;

export const BLAMED = 'ledger.ts';
export const BLAMED_LINES = 6000;
const BLAMED_COMMITS = 1200;

export const UNTRACKED = 20;
const WIDE_FILES = 140;
const WIDE_LINES = 200;

export const MILLION = 1_000_000;

/** Number of lines of each file of the long history, and number of lines that a commit changes. */
const LINES = 40;
const CHANGED_LINES = 3;

/** How each repository is created: the commands to import, and the steps afterwards. */
export const REPOSITORIES = {
  /** 20,000 commits, 2,000 of them on side branches that were merged, and 2,000 files. `git gc` has packed it. */
  history: { commands: history, finish: collected },
  /** 50,000 files in 500 directories; some are changed, some are new. */
  tree: { commands: tree, finish: edited },
  /** Trees with a tenth and a hundredth of the files and without changes, to measure growth. */
  'tree-5000': { commands: () => tree(5000), finish: checkedOut },
  'tree-500': { commands: () => tree(500), finish: checkedOut },
  /** A diff of 3.5 MB and a diff of 200 MB between commits; a small diff and 20 untracked files in the work tree. */
  differences: { commands: differences, finish: littered },
  /** A file of 6,000 lines that 1,200 commits wrote. */
  blame: { commands: blame, finish: checkedOut },
  /** A million commits that change nothing. */
  million: { commands: million, finish: checkedOut },
};

function* history() {
  const random = randomBy(SEED);
  const names = Array.from({ length: FILES }, (_, file) => `src/area-${file % 40}/part-${file}.ts`);
  const contents = names.map(() => Array.from({ length: LINES }, () => codeOf(random)));
  const all = Object.fromEntries(names.map((name, file) => [name, contents[file].join('')]));
  yield commitOf(1, 'The first commit', all);
  for (let number = 2; number <= COMMITS; number += 1) {
    const file = Math.floor(random() * FILES);
    for (let line = 0; line < CHANGED_LINES; line += 1) contents[file][Math.floor(random() * LINES)] = codeOf(random);
    yield commitOf(number, messageOf(random), { [names[file]]: contents[file].join('') }, placeOf(number));
  }
}

/** Every tenth commit starts a branch three commits earlier; the fifth commit afterwards merges the branch. */
function placeOf(number) {
  if (number % 10 === 5) return { branch: 'side', from: number - 3 };
  if (number >= 10 && number % 10 === 0) return { merged: number - 5 };
  return {};
}

function messageOf(random) {
  const subject = sentenceOf(6, random);
  return random() < 0.5 ? subject : `${subject}\n\n${sentenceOf(20, random)}\n${sentenceOf(20, random)}`;
}

function collected(directory) {
  git(directory, 'branch', '--quiet', '-D', 'side');
  git(directory, 'gc', '--quiet');
  checkedOut(directory);
}

function* tree(files = TREE_FILES) {
  const perDirectory = TREE_FILES / TREE_DIRECTORIES;
  const names = Array.from({ length: files }, (_, file) => fileOfTree(Math.floor(file / perDirectory), file % perDirectory));
  yield commitOf(1, 'Many files', Object.fromEntries(names.map((name, file) => [name, `file ${file}\n`])));
}

function fileOfTree(directory, file) {
  return `directory-${directory}/file-${file}.txt`;
}

function edited(directory) {
  git(directory, 'reset', '--quiet', '--hard', 'main');
  for (let each = 0; each < 20; each += 1) appendFileSync(join(directory, fileOfTree(each * 20, each)), 'changed\n');
  for (let each = 0; each < 5; each += 1) writeFileSync(join(directory, `new-${each}.txt`), 'new\n');
  known(directory);
}

/**
 * The work tree is at `main`. The branch `rewritten` changes every line of its files, and `added` contains additional,
 * much larger files.
 */
function* differences() {
  const random = randomBy(SEED);
  const filesOf = () =>
    Object.fromEntries(Array.from({ length: WIDE_FILES }, (_, file) => [`wide/${file}.ts`, linesOf(WIDE_LINES)]));
  const linesOf = (lines) => Array.from({ length: lines }, () => codeOf(random)).join('');
  yield commitOf(1, 'Before', filesOf());
  yield commitOf(2, 'Every line of every file is another', filesOf(), { branch: 'rewritten', from: 1 });
  const large = linesOf(10_000).repeat(40);
  const names = Array.from({ length: Math.ceil(200e6 / large.length) }, (_, file) => `large/${file}.ts`);
  yield commitOf(3, 'Much larger files', Object.fromEntries(names.map((name) => [name, large])), { branch: 'added', from: 1 });
}

function littered(directory) {
  git(directory, 'reset', '--quiet', '--hard', 'main');
  for (let each = 0; each < 3; each += 1) appendFileSync(join(directory, `wide/${each}.ts`), 'one more line;\n');
  for (let each = 0; each < UNTRACKED; each += 1) writeFileSync(join(directory, `untracked-${each}.ts`), 'not yet tracked;\n');
  known(directory);
}

function* blame() {
  const random = randomBy(SEED);
  const lines = Array.from({ length: BLAMED_LINES }, () => codeOf(random));
  for (let number = 1; number <= BLAMED_COMMITS; number += 1) {
    for (let change = 0; change < 6; change += 1) lines[Math.floor(random() * BLAMED_LINES)] = codeOf(random);
    yield commitOf(number, messageOf(random), { [BLAMED]: lines.join('') });
  }
}

function* million() {
  yield commitOf(1, 'The first commit', { 'read.me': 'nothing\n' });
  for (let number = 2; number <= MILLION; number += 1) yield commitOf(number, `commit ${number}`, {});
}

function checkedOut(directory) {
  git(directory, 'reset', '--quiet', '--hard', 'main');
  known(directory);
}

/**
 * Writes the index again when all files are older than the index. Git would compare the contents of every file that is as
 * new as the index, and the measurements would include these comparisons.
 */
function known(directory) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1100);
  git(directory, 'update-index', '-q', '--refresh', '--force-write-index');
}
