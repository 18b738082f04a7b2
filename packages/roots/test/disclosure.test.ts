import { chmod, mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { spelled } from '../src/failures.ts';
import { ground, GUARANTEES, outcome, refusal, shownError, unprivileged, visible, write, type Ground } from './ground.ts';
import { OPERATIONS } from './operations.ts';

/** What may or may not be at a path outside. */
const STATES: Readonly<Record<string, (target: string) => Promise<unknown>>> = {
  nothing: () => Promise.resolve(),
  'a file': (target) => write(target),
  'a directory': (target) => mkdir(target),
  'a directory with a file': (target) => write(path.join(target, 'x')),
  'a directory with two names that look the same': (target) =>
    write(path.join(target, 'caf\u00e9'), path.join(target, 'cafe\u0301')),
  'a link that dangles': (target) => symlink('nowhere', target),
  'a link that runs in a circle': (target) => symlink(path.basename(target), target),
  'a link to a file beside it': (target) => symlink('secret.txt', target),
  'a directory that is locked': async (target) => {
    await mkdir(target);
    await chmod(target, 0);
  },
};

/** Paths that come to `outside/probe` or to something below it; none names the directory outside. */
const PROBES: readonly (readonly [probe: string, given: string])[] = [
  ['..', '../../outside/probe'],
  ['.. and a child', '../../outside/probe/x'],
  ['a file link', 'file-link'],
  ['a file link as directory', 'file-link/x'],
  ['a chain of links', 'chain'],
  ['a directory link', 'link/probe'],
  ['a directory link and a child', 'link/probe/x'],
  ['a directory link and a child with an accent', 'link/probe/caf\u00e9'],
  ['a directory link and two levels', 'link/probe/x/y'],
  ['a directory link and a name near by', 'link/prob'],
  ['a directory link and a name of 256 bytes', `link/probe/${'n'.repeat(256)}`],
  ['a directory link and a long path', `link/probe/${'x/'.repeat(2029)}x`],
];

describe.skipIf(process.platform === 'win32').each(GUARANTEES)('held as %s,', (guarantee) => {
  describe('what is outside', () => {
    it.each(PROBES)('cannot be told from the answer: %s', async (_, given) => {
      const answers = new Map<string, Answers>();
      for (const [state, plant] of Object.entries(STATES)) {
        const at = await linked();
        await plant(path.join(at.outside, 'probe'));
        answers.set(state, await unprivileged(() => answersOf(at, given)));
        await chmod(path.join(at.outside, 'probe'), 0o755).catch(() => undefined);
      }
      const text = `PATH_OUTSIDE_ROOTS: ${spelled(given)} is not inside the allowed directories\nallowed: ROOT`;
      for (const answer of answers.values()) {
        expect(answer).toMatchObject({ find: text, read: text, list: text, write: text, 'make directories': text });
        expect(answer).toEqual(answers.get('nothing'));
      }
    });

    it.each(PROBES)('is not named: %s', async (_, given) => {
      const at = await linked();
      for (const answer of Object.values(await answersOf(at, given))) expect(answer).not.toContain(at.outside);
    });

    it('is not suggested as a near name', async () => {
      const at = await linked();
      for (const given of ['link/secret.tx', '../safe_evi'])
        expect(JSON.stringify(await answersOf(at, given))).not.toMatch(/secret\.txt|safe_evil/);
    });
  });

  describe('a directory inside that is locked', () => {
    it('is named as such', async () => {
      const { root, roots } = await ground({ guarantee });
      await chmod(path.join(root, 'a'), 0);
      const given = 'a/b.txt';
      const refused = {
        code: 'IO',
        message: expect.stringMatching(/a\/b\.txt": permission denied$/),
        hint: undefined,
        data: undefined,
      };
      for (const operate of Object.values(OPERATIONS))
        expect(await unprivileged(() => refusal(operate(roots, given)))).toMatchObject(refused);
      await chmod(path.join(root, 'a'), 0o755);
      expect(await outcome(roots.existing(given))).toBe('allowed');
    });
  });

  async function linked(): Promise<Ground> {
    const at = await ground({ guarantee });
    await write(`${at.root}_evil/x`);
    await symlink(at.outside, path.join(at.root, 'link'));
    await symlink(path.join(at.outside, 'probe'), path.join(at.root, 'file-link'));
    await symlink('file-link', path.join(at.root, 'chain'));
    return at;
  }
});

/** What a client is told, by operation. */
type Answers = Readonly<Record<string, string>>;

/** Whoever may not write is refused by the file system where a link itself would be moved or deleted; the same for all states. */
async function answersOf({ root, roots }: Ground, given: string): Promise<Answers> {
  const answers: Record<string, string> = {};
  for (const [operation, operate] of Object.entries(OPERATIONS))
    answers[operation] = await operate(roots, given).then(
      () => 'allowed',
      (error: unknown) => visible(shownError(error)).replace(root, 'ROOT'),
    );
  return answers;
}
