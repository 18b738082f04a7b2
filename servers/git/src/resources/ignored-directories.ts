import { existsSync } from 'node:fs';
import path from 'node:path';

import { decodeList } from '../repository/parse/fields.ts';
import type { Repository } from '../repository/repository.ts';

interface Question {
  readonly relative: string;
  readonly answer: (isIgnored: boolean) => void;
}

/** Which directories of a work tree git looks into: not those that are ignored and hold nothing that is tracked, nor repositories. */
export class IgnoredDirectories {
  readonly #top: string;
  readonly #open: () => Promise<Repository>;
  #asked: Question[] = [];
  #isAsking = false;

  /** @param open the repository, anew each time: one that is no longer used is not run in */
  constructor(top: string, open: () => Promise<Repository>) {
    this.#top = top;
    this.#open = open;
  }

  /** @param relative to the top, with `/` between the names */
  has(relative: string): boolean | Promise<boolean> {
    if (path.posix.basename(relative) === '.git' || existsSync(path.join(this.#top, relative, '.git'))) return true;
    return new Promise((answer) => {
      this.#asked.push({ relative, answer });
      if (!this.#isAsking) void this.#ask();
    });
  }

  /** One process for all that is asked while the one before runs. */
  async #ask(): Promise<void> {
    this.#isAsking = true;
    // All directories in one are asked of at once.
    await Promise.resolve();
    while (this.#asked.length > 0) {
      const questions = this.#asked;
      this.#asked = [];
      const ignored = await this.#ignoredOf(questions.map(({ relative }) => relative)).catch(() => new Set());
      for (const { relative, answer } of questions) answer(ignored.has(relative));
    }
    this.#isAsking = false;
  }

  async #ignoredOf(directories: readonly string[]): Promise<ReadonlySet<unknown>> {
    const repository = await this.#open();
    // The index is asked of the few that rules speak of: it is searched for each name from its first entry to its last.
    const named = await checkIgnore(repository, ['--no-index'], directories);
    return new Set(named.length === 0 ? [] : await checkIgnore(repository, [], named));
  }
}

/** Which of the directories are ignored. */
async function checkIgnore(
  repository: Repository,
  flags: readonly string[],
  directories: readonly string[],
): Promise<readonly string[]> {
  // The command refuses to take names literally, and what begins with a dot and a slash is no pattern.
  const env = { GIT_LITERAL_PATHSPECS: '0' };
  const input = directories.map((directory) => `./${directory}\0`).join('');
  const { stdout } = await repository.read(['check-ignore', ...flags, '--stdin', '-z'], { codes: [0, 1], env, input });
  return decodeList(stdout).map((directory) => directory.slice('./'.length));
}
