import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';

import { INSIDE, SECRET } from './arena.mjs';

/**
 * Returns the attempts on the roots by name: the exchanged pair, and the attempt. `prepare` prepares the attempt.
 * `isDone` receives the arena, and returns whether the work was really done.
 */
export function rootsAttempts(roots) {
  return {
    read: { pair: 'directory', attempt: () => read(roots, 'place/file.txt') },
    'read, file exchanged': { pair: 'file', attempt: () => read(roots, 'file.txt') },
    'read, root exchanged': { pair: 'root', attempt: () => read(roots, 'file.txt') },
    'read a name near by': {
      pair: 'directory',
      hoped: 'NOT_FOUND',
      attempt: () => read(roots, `place/${SECRET.slice(1)}`),
    },
    ...lookingAttempts(roots),
    ...writingAttempts(roots),
    ...movingAttempts(roots),
  };
}

function lookingAttempts(roots) {
  return {
    find: { pair: 'directory', attempt: () => find(roots, 'place/file.txt') },
    list: { pair: 'directory', attempt: () => using(roots.openDirectory('place'), namesIn) },
    walk: {
      pair: 'directory',
      attempt: () => using(roots.openDirectory('.'), (root) => using(root.openDirectory('place'), namesIn)),
    },
    'look at a file': { pair: 'directory', attempt: () => using(roots.openDirectory('place'), sizeIn) },
    'look at a link': {
      pair: 'directory',
      attempt: () => using(roots.openDirectory('place'), (place) => place.readLink('link')),
    },
  };
}

function writingAttempts(roots) {
  return {
    'write new': {
      pair: 'directory',
      prepare: ({ inside }) => remove(`${inside}/written`),
      attempt: () => write(roots, 'place/written'),
      isDone: ({ inside }) => existsSync(`${inside}/written`),
    },
    'write new, root exchanged': {
      pair: 'root',
      prepare: ({ heldRoot }) => remove(`${heldRoot}/written`),
      attempt: () => write(roots, 'written'),
      isDone: ({ heldRoot }) => existsSync(`${heldRoot}/written`),
    },
    overwrite: {
      pair: 'directory',
      attempt: () => write(roots, 'place/victim.txt'),
    },
    'overwrite, file exchanged': {
      pair: 'file',
      prepare: (arena) => arena.restoreLink(),
      attempt: () => write(roots, 'file.txt'),
    },
    'make directories': {
      pair: 'directory',
      prepare: ({ inside }) => remove(`${inside}/made`),
      attempt: () => using(roots.makeDirectories('place/made/deep'), namesIn),
      isDone: ({ inside }) => existsSync(`${inside}/made/deep`),
    },
    'set times': {
      pair: 'directory',
      attempt: () => using(roots.openDirectory('place'), (place) => place.setTimes('victim.txt', new Date(0), new Date(0))),
    },
  };
}

function movingAttempts(roots) {
  return {
    'move out': {
      pair: 'directory',
      prepare: ({ inside }) => writeFileSync(`${inside}/victim.txt`, INSIDE),
      attempt: () => move(roots, 'place/victim.txt', 'moved'),
      isDone: ({ inside }) => !existsSync(`${inside}/victim.txt`),
    },
    'move in': {
      pair: 'directory',
      prepare: ({ inside, heldRoot }) => {
        remove(`${inside}/moved`);
        writeFileSync(`${heldRoot}/moving`, INSIDE);
      },
      attempt: () => move(roots, 'moving', 'place/moved'),
      isDone: ({ inside }) => existsSync(`${inside}/moved`),
    },
    delete: {
      pair: 'directory',
      prepare: ({ inside }) => writeFileSync(`${inside}/victim.txt`, INSIDE),
      attempt: () => using(roots.findEntryToMove('place/victim.txt'), ({ directory, name }) => directory.unlink(name)),
      isDone: ({ inside }) => !existsSync(`${inside}/victim.txt`),
    },
    'delete directory': {
      pair: 'directory',
      prepare: ({ inside }) => mkdirSync(`${inside}/empty`, { recursive: true }),
      attempt: () => using(roots.findEntryToMove('place/empty'), ({ directory, name }) => directory.removeDirectory(name)),
      isDone: ({ inside }) => !existsSync(`${inside}/empty`),
    },
  };
}

/** Replaces `await using`, which Node.js 20 does not parse. */
async function using(opening, use) {
  const opened = await opening;
  try {
    return await use(opened);
  } finally {
    await opened[Symbol.asyncDispose]();
  }
}

function read(roots, given) {
  return using(roots.openFile(given), (file) => file.readAt(0, 64));
}

/** Returns the path of a file, or `SECRET` if the size shows that the file is outside. */
async function find(roots, given) {
  const { real, facts } = await roots.resolveExisting(given);
  return Number(facts.size) === SECRET.length ? SECRET : real;
}

async function sizeIn(directory) {
  const { size } = await directory.facts('file.txt');
  return Number(size) === SECRET.length ? SECRET : size;
}

async function namesIn(directory) {
  const names = [];
  for await (const { name } of directory.entries()) names.push(name);
  return names;
}

function write(roots, given) {
  return using(roots.findEntryToWrite(given), async ({ directory, name }) => {
    await using(directory.newFile(), async (file) => {
      await file.write(Buffer.from(INSIDE));
      await file.saveAs(name);
    });
  });
}

function move(roots, given, destination) {
  return using(roots.findEntryToMove(given), (from) =>
    using(roots.findEntryToMove(destination), (to) => from.directory.rename(from.name, to.directory, to.name)),
  );
}

function remove(...entries) {
  for (const entry of entries) rmSync(entry, { recursive: true, force: true });
}
