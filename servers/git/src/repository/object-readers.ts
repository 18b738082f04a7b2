import type { Examined } from './guard.ts';
import { ObjectReader } from './object-reader.ts';
import type { GitProgram } from './program.ts';

/** As many repositories are read at a time; of more, the one that was longest unused is read by a new process. */
const MAX_READERS = 8;

interface Kept {
  readonly reader: ObjectReader;
  readonly stamp: string;
}

/** A reader of objects for each repository in use, which ends as soon as the repository is not what the guard looked at. */
export class ObjectReaders {
  readonly #git: GitProgram;
  /** By git directory, the one that was longest unused first. */
  readonly #kept = new Map<string, Kept>();

  constructor(git: GitProgram) {
    this.#git = git;
  }

  /**
   * Returns the reader of a repository that the guard has examined.
   *
   * @param ties environment variables that bind git to the repository
   */
  of({ ground, stamp: examined }: Pick<Examined, 'ground' | 'stamp'>, ties: Readonly<Record<string, string>>): ObjectReader {
    const stamp = examined + Object.values(ties).join();
    const kept = this.#kept.get(ground.gitDir);
    this.#kept.delete(ground.gitDir);
    if (kept?.stamp === stamp) {
      this.#kept.set(ground.gitDir, kept);
      return kept.reader;
    }
    kept?.reader.retire();
    const command = ['cat-file', '--batch-command', '-z', '--buffer'];
    const reader = new ObjectReader(() => this.#git.start(command, { cwd: ground.gitDir, env: ties }));
    this.#kept.set(ground.gitDir, { reader, stamp });
    this.#evict();
    return reader;
  }

  /** Ends all of them. */
  end(): void {
    for (const { reader } of this.#kept.values()) reader.end();
    this.#kept.clear();
  }

  #evict(): void {
    for (const [gitDir, { reader }] of this.#kept) {
      if (this.#kept.size <= MAX_READERS) return;
      if (!reader.isIdle) continue;
      reader.end();
      this.#kept.delete(gitDir);
    }
  }
}
