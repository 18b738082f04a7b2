import type { BigIntStats } from 'node:fs';

import type { OpenDirectory } from './open-directory.ts';

/** A name in a verified directory, as the directory lists it, whether or not the name exists. */
export class Place implements AsyncDisposable {
  readonly directory: OpenDirectory;
  readonly name: string;
  /** The path that clients see. */
  readonly shown: string;
  /** What was there when it was found; of a link about itself. */
  readonly facts: BigIntStats | undefined;

  /**
   * The name as the caller spelled it, which differs from {@link Place.name} if the file system treats both as equal. Only a rename
   * that changes the spelling uses it.
   */
  readonly asked: string;

  constructor(directory: OpenDirectory, name: string, { shown, facts, asked }: Pick<Place, 'shown' | 'facts' | 'asked'>) {
    this.directory = directory;
    this.name = name;
    this.shown = shown;
    this.facts = facts;
    this.asked = asked;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.directory[Symbol.asyncDispose]();
  }
}
