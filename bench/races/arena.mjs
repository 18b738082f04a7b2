import {
  closeSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * Text in the name of the directory outside the root and in all its file contents. No name or content of a file inside the root
 * contains this text.
 */
export const SECRET = 'SECRET';

/** Text of the files inside; it has another length, so that file sizes differ. */
export const INSIDE = 'within it';

/**
 * Creates a root with entries that are exchanged while operations run, next to a directory that must be neither read nor
 * changed:
 * - `place`, a directory, and `place-link`, a link to the directory outside;
 * - `file.txt` and `file-link`, a link to the file outside;
 * - the root itself and the directory outside. All directories contain the same names, so that every requested name
 * also exists where it must not be found. `inside` and `heldRoot` are paths to `place` and to the root that stay valid
 * during exchanges.
 */
export function openArena() {
  const directory = realpathSync(mkdtempSync(path.join(tmpdir(), 'mcp-races-')));
  const [root, outside, spareLink, freshLink] = ['root', SECRET, 'spare-link', 'fresh-link'].map((name) =>
    path.join(directory, name),
  );
  const inRoot = (...names) => names.map((name) => path.join(root, name));
  const pairs = { directory: inRoot('place', 'place-link'), file: inRoot('file.txt', 'file-link'), root: [root, outside] };
  for (const each of [root, pairs.directory[0]]) fill(each, INSIDE);
  fill(outside, SECRET);
  symlinkSync(outside, pairs.directory[1]);
  symlinkSync(path.join(outside, 'file.txt'), spareLink);
  linkSync(spareLink, pairs.file[1]);
  // Uses descriptors, because the examined files must not be exchanged as well.
  const held = [pairs.directory[0], root, outside].map((each) => openSync(each, 'r'));
  const [inside, heldRoot, heldOutside] = held.map((descriptor) => `/proc/self/fd/${descriptor}`);
  return {
    root,
    pairs,
    inside,
    heldRoot,
    /** Restores the link to the file outside if a rename has replaced it, so that the exchanges can continue. */
    restoreLink: () => {
      if (lstatSync(spareLink).nlink > 1) return;
      linkSync(spareLink, freshLink);
      renameSync(freshLink, pairs.file[1]);
    },
    wasTouched: watchOf(heldOutside),
    remove: () => {
      for (const descriptor of held) closeSync(descriptor);
      rmSync(directory, { recursive: true });
    },
  };
}

/**
 * Returns a function that returns whether an entry of the directory was created, changed or removed since the last check.
 * If so, the function restores the directory.
 */
function watchOf(directory) {
  const look = () => ['.', 'inner', 'empty'].map((below) => stateOf(path.join(directory, below))).join('\n');
  let untouched = look();
  return () => {
    if (look() === untouched) return false;
    for (const name of readdirSync(directory)) rmSync(path.join(directory, name), { recursive: true });
    fill(directory, SECRET);
    untouched = look();
    return true;
  };
}

function fill(directory, text) {
  for (const each of ['inner', 'empty']) mkdirSync(path.join(directory, each), { recursive: true });
  for (const each of ['file.txt', 'victim.txt', `inner/${text}`, text]) writeFileSync(path.join(directory, each), text);
  symlinkSync(text, path.join(directory, 'link'));
}

function stateOf(directory) {
  try {
    return readdirSync(directory)
      .map((name) => `${name} ${factsOf(path.join(directory, name))}`)
      .join(' ');
  } catch (error) {
    if (error.code === 'ENOENT') return 'missing';
    throw error;
  }
}

function factsOf(entry) {
  const { ino, size, mtimeNs } = lstatSync(entry, { bigint: true });
  return `${ino} ${size} ${mtimeNs}`;
}
