import type { BigIntStats } from 'node:fs';

import type { OpenDirectory } from './open-directory.ts';

/** A name in a verified directory, whether or not something is there. */
export class Place implements AsyncDisposable {
  readonly directory: OpenDirectory;
  readonly name: string;
  /** The path that clients see. */
  readonly shown: string;
  /** What was there when it was found; of a link about itself. */
  readonly facts: BigIntStats | undefined;

  constructor(directory: OpenDirectory, name: string, { shown, facts }: Pick<Place, 'shown' | 'facts'>) {
    this.directory = directory;
    this.name = name;
    this.shown = shown;
    this.facts = facts;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.directory[Symbol.asyncDispose]();
  }
}
