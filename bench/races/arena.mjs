import { linkSync, lstatSync, mkdirSync, mkdtempSync, openSync, readdirSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** In all that lies outside, and in nothing else. */
export const SECRET = 'SECRET';

/** In what lies inside; of another length, so that facts tell them apart. */
export const INSIDE = 'within it';

/**
 * A root with what is exchanged in it while operations run, beside a directory that must not be seen or touched:
 *
 * - `place`, a directory, and `place-link`, a link to the directory outside;
 * - `file.txt` and `file-link`, a link to the file outside;
 * - the root itself and the directory outside.
 *
 * Both directories hold the same names, so that whatever is asked for is there, too, where it must not be found.
 */
export class Arena {
  #directory = realpathSync(mkdtempSync(path.join(tmpdir(), 'mcp-races-')));
  root = path.join(this.#directory, 'root');
  /** The two paths that are exchanged. */
  pairs = {
    directory: ['place', 'place-link'].map((name) => path.join(this.root, name)),
    file: ['file.txt', 'file-link'].map((name) => path.join(this.root, name)),
    root: ['root', SECRET].map((name) => path.join(this.#directory, name)),
  };
  #spareLink = path.join(this.#directory, 'spare-link');
  #outside;
  #untouched;

  constructor() {
    const outside = path.join(this.#directory, SECRET);
    fill(this.root, INSIDE);
    fill(path.join(this.root, 'place'), INSIDE);
    fill(outside, SECRET);
    symlinkSync(outside, path.join(this.root, 'place-link'));
    symlinkSync(path.join(outside, 'file.txt'), this.#spareLink);
    this.restoreLink();
    // By descriptors: what is looked at must not be exchanged as well.
    this.inside = held(path.join(this.root, 'place'));
    this.heldRoot = held(this.root);
    this.#outside = held(outside);
    this.#untouched = this.#state();
  }

  /** Puts back the link to the file outside where a rename has replaced it, so that there is something to exchange. */
  restoreLink() {
    if (lstatSync(this.#spareLink).nlink > 1) return;
    const fresh = path.join(this.#directory, 'fresh-link');
    linkSync(this.#spareLink, fresh);
    renameSync(fresh, path.join(this.root, 'file-link'));
  }

  /** Whether anything outside was created, changed or removed since the last look; if so, it is put back. */
  wasTouched() {
    if (this.#state() === this.#untouched) return false;
    for (const name of readdirSync(this.#outside)) rmSync(path.join(this.#outside, name), { recursive: true });
    fill(this.#outside, SECRET);
    this.#untouched = this.#state();
    return true;
  }

  remove() {
    rmSync(this.#directory, { recursive: true });
  }

  #state() {
    return ['.', 'inner', 'empty'].map((directory) => stateOf(path.join(this.#outside, directory))).join('\n');
  }
}

function fill(directory, text) {
  for (const each of ['inner', 'empty']) mkdirSync(path.join(directory, each), { recursive: true });
  for (const each of ['file.txt', 'victim.txt', `inner/${text}`, text]) writeFileSync(path.join(directory, each), text);
  symlinkSync(text, path.join(directory, 'link'));
}

/** A path that stays that of the directory whatever its name is; until the process ends. */
function held(directory) {
  return `/proc/self/fd/${openSync(directory, 'r')}`;
}

function stateOf(directory) {
  try {
    return readdirSync(directory).map((name) => `${name} ${factsOf(path.join(directory, name))}`).join(' ');
  } catch (error) {
    if (error.code === 'ENOENT') return 'missing';
    throw error;
  }
}

function factsOf(entry) {
  const { ino, size, mtimeNs } = lstatSync(entry, { bigint: true });
  return `${ino} ${size} ${mtimeNs}`;
}
