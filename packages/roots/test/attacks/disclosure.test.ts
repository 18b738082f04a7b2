import { chmod, mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { quotePath } from '../../src/errors/path-errors.ts';
import {
  createFixture,
  GUARANTEES,
  getOutcome,
  getRefusal,
  requireToolError,
  runUnprivileged,
  formatError,
  write,
  type RootFixture,
} from '../fixtures.ts';
import { OPERATIONS } from '../operations.ts';

/** Functions that create each state of the probed path outside the roots, by the name of the state. */
const STATES: Readonly<Record<string, (target: string) => Promise<unknown>>> = {
  nothing: () => Promise.resolve(),
  'a file': (target) => write(target),
  'a directory': (target) => mkdir(target),
  'a directory with a file': (target) => write(path.join(target, 'x')),
  'a directory with two names that look the same': (target) =>
    write(path.join(target, 'caf\u00e9'), path.join(target, 'cafe\u0301')),
  'a dangling link': (target) => symlink('nowhere', target),
  'a link to itself': (target) => symlink(path.basename(target), target),
  'a link to a file beside it': (target) => symlink('secret.txt', target),
  'a directory that is locked': async (target) => {
    await mkdir(target);
    await chmod(target, 0);
  },
};

/**
 * Relative paths to `outside/probe`, to names below it, and to a similar name beside it. No probe contains the absolute path of
 * `outside`, so an answer that contains this path would disclose it.
 */
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
  ['a directory link and a similar name', 'link/prob'],
  ['a directory link and a name of 256 bytes', `link/probe/${'n'.repeat(256)}`],
  ['a directory link and a long path', `link/probe/${'x/'.repeat(2029)}x`],
];

const LINK = '\na symbolic link in the path leads outside';

describe.skipIf(process.platform === 'win32').each(GUARANTEES)('disclosure (guarantee %s)', (guarantee) => {
  describe('a path outside the roots', () => {
    it.each(PROBES)('results in the same error whether or not it exists: %s', async (_, given) => {
      const answers = new Map<string, Answers>();
      for (const [state, plant] of Object.entries(STATES)) {
        const at = await linked();
        await plant(path.join(at.outside, 'probe'));
        answers.set(state, await runUnprivileged(() => collectAnswers(at, given)));
        await chmod(path.join(at.outside, 'probe'), 0o755).catch(() => undefined);
      }
      const text = `PATH_OUTSIDE_ROOTS: ${quotePath(given)} is not inside the allowed directories\nallowed: ROOT${given.startsWith('..') ? '' : LINK}`;
      for (const answer of answers.values()) {
        expect(answer).toMatchObject({ find: text, read: text, list: text, write: text, 'make directories': text });
        expect(answer).toEqual(answers.get('nothing'));
      }
    });

    it.each(PROBES)('does not appear in the answer: %s', async (_, given) => {
      const at = await linked();
      for (const answer of Object.values(await collectAnswers(at, given))) expect(answer).not.toContain(at.outside);
    });

    it('is not suggested as a similar name', async () => {
      const at = await linked();
      for (const given of ['link/secret.tx', '../safe_evi'])
        expect(JSON.stringify(await collectAnswers(at, given))).not.toMatch(/secret\.txt|safe_evil/);
    });
  });

  describe('a locked directory inside', () => {
    it('is reported as permission denied', async () => {
      const { root, roots } = await createFixture({ guarantee });
      await chmod(path.join(root, 'a'), 0);
      const given = 'a/b.txt';
      const refused = {
        code: 'IO',
        message: expect.stringMatching(/a\/b\.txt": permission denied$/),
        hint: undefined,
        data: undefined,
      };
      for (const operate of Object.values(OPERATIONS))
        expect(await runUnprivileged(() => getRefusal(operate(roots, given)))).toMatchObject(refused);
      await chmod(path.join(root, 'a'), 0o755);
      expect(await getOutcome(roots.resolveExisting(given))).toBe('allowed');
    });
  });

  async function linked(): Promise<RootFixture> {
    const at = await createFixture({ guarantee });
    await write(`${at.root}_evil/x`);
    await symlink(at.outside, path.join(at.root, 'link'));
    await symlink(path.join(at.outside, 'probe'), path.join(at.root, 'file-link'));
    await symlink('file-link', path.join(at.root, 'chain'));
    return at;
  }
});

/** The text that a client receives, by operation. */
type Answers = Readonly<Record<string, string>>;

/**
 * Returns the result of each operation: `allowed`, or the text of its error with `ROOT` instead of the path of the root. A user
 * without write access cannot move or delete a link itself; this error is the same for all states of the link's target.
 */
async function collectAnswers({ root, roots }: RootFixture, given: string): Promise<Answers> {
  const answers: Record<string, string> = {};
  for (const [operation, operate] of Object.entries(OPERATIONS))
    answers[operation] = await operate(roots, given).then(
      () => 'allowed',
      (error: unknown) => formatError(requireToolError(error)).replace(root, 'ROOT'),
    );
  return answers;
}
