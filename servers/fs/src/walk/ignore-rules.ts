import fs from 'node:fs';

import ignore, { type Ignore } from 'ignore';

import type { HeldDirectory } from './held-directory.ts';
import type { IgnoreFile } from './job.ts';

/** Larger ones are no lists of rules. */
const MAX_BYTES = 1_048_576;
const NAME = '.gitignore';

/** Rules of the `.gitignore` files on the way to a directory; the nearest that says something about a path counts. */
export class IgnoreRules {
  readonly #rules: Ignore;
  /** What leads from the directory of the rules to that of the walk, or from the walk's to theirs: one of them is empty. */
  readonly #before: string;
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

  /** Those of directories above that of the walk; what they leave out itself was asked for by name, and they do not count in it. */
  static above(files: readonly IgnoreFile[]): IgnoreRules | undefined {
    let rules: IgnoreRules | undefined;
    for (const { below, text } of files) {
      const next = new IgnoreRules(text, { before: `${below}/`, skipped: 0 }, rules);
      if (!next.#rules.test(`${below}/`).ignored) rules = next;
    }
    return rules;
  }

  /** Those that count in a directory which has a file of rules. */
  static in(directory: HeldDirectory, relative: string, outer: IgnoreRules | undefined): IgnoreRules | undefined {
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

  /** Whether it would leave out the directory of a path, which a walk enters only if nearer rules take that back. */
  #ignoresAbove(path: string): boolean {
    const end = path.lastIndexOf('/');
    return end !== -1 && this.#rules.test(path.slice(0, end + 1)).ignored;
  }
}

function readRules(directory: HeldDirectory): string | undefined {
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
