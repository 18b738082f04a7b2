import fs from 'node:fs';

import ignore, { type Ignore } from 'ignore';

import type { WalkDirectory } from './walk-directory.ts';

/** The content of a `.gitignore` file, and the path of the walk relative to its directory. */
export interface IgnoreFile {
  readonly below: string;
  readonly text: string;
}

/** Maximum number of bytes of a `.gitignore` file. The rules of a larger file are not read. */
const MAX_BYTES = 1_048_576;
const NAME = '.gitignore';

/** The rules of the `.gitignore` files in a directory and above it. The nearest file with a matching rule decides. */
export class IgnoreRules {
  readonly #rules: Ignore;
  /** Path from the directory of the rules to the walk; empty if the rules are inside the walk. */
  readonly #before: string;
  /** Length of the path from the start of the walk to the directory of the rules, with a final `/`; otherwise 0. */
  readonly #skipped: number;
  readonly #outer: IgnoreRules | undefined;

  private constructor(
    text: string,
    place: { readonly before: string; readonly skipped: number },
    outer: IgnoreRules | undefined,
  ) {
    this.#rules = ignore().add(text);
    this.#before = place.before;
    this.#skipped = place.skipped;
    this.#outer = outer;
  }

  /**
   * Creates the rules of the directories above the walk. A file that ignores the directory of the walk is skipped, because the
   * caller named this directory.
   */
  static above(files: readonly IgnoreFile[]): IgnoreRules | undefined {
    let rules: IgnoreRules | undefined;
    for (const { below, text } of files) {
      const next = new IgnoreRules(text, { before: `${below}/`, skipped: 0 }, rules);
      if (!next.#rules.test(`${below}/`).ignored) rules = next;
    }
    return rules;
  }

  /**
   * Adds the rules of the `.gitignore` file in a directory to the outer rules. Returns the outer rules if no such file exists.
   */
  static in(directory: WalkDirectory, relative: string, outer: IgnoreRules | undefined): IgnoreRules | undefined {
    const text = readRules(directory);
    const skipped = relative === '' ? 0 : relative.length + 1;
    return text === undefined ? outer : new IgnoreRules(text, { before: '', skipped }, outer);
  }

  ignores(relative: string, isDirectory: boolean): boolean {
    const path = this.#before + relative.slice(this.#skipped);
    const { ignored, unignored } = this.#rules.test(isDirectory ? `${path}/` : path);
    if (unignored || (ignored && !this.#ignoresAbove(path))) return ignored;
    return this.#outer?.ignores(relative, isDirectory) ?? false;
  }

  /**
   * Returns whether the rules of this file ignore the directory that contains a path. The walk entered such a directory only
   * because other rules include the directory again, so the rules of this file do not decide about its content.
   */
  #ignoresAbove(path: string): boolean {
    const end = path.lastIndexOf('/');
    return end !== -1 && this.#rules.test(path.slice(0, end + 1)).ignored;
  }
}

function readRules(directory: WalkDirectory): string | undefined {
  try {
    const file = directory.openFile(NAME);
    try {
      return file.verifiedSize() > MAX_BYTES ? undefined : fs.readFileSync(file.descriptor, 'utf8');
    } finally {
      fs.closeSync(file.descriptor);
    }
  } catch {
    return undefined;
  }
}
