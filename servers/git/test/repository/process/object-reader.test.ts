import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { platform } from 'node:os';
import path from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { AllowedDirectories } from '../../../src/repository/process/allowed-directories.ts';
import { Guard } from '../../../src/repository/guard/guard.ts';
import { bindToPaths } from '../../../src/repository/guard/pinned-configurations.ts';
import { ObjectReader } from '../../../src/repository/process/object-reader.ts';
import { ObjectReaders } from '../../../src/repository/repositories.ts';
import { GitProgram } from '../../../src/repository/process/git-program.ts';
import { startGroup } from '../../../src/repository/process/run-process.ts';
import { GONE_MS, pidsIn, processesIn, until } from '../../fixtures/processes.ts';
import { git, repositoryOf, writeIn } from '../../fixtures/temporary.ts';

const { signal } = new AbortController();

interface Started {
  readonly reader: ObjectReader;
  /** Number of processes started so far. */
  readonly starts: () => number;
}

function createReader(top: string): Started {
  let starts = 0;
  const env = { PATH: process.env['PATH'] ?? '', GIT_DIR: path.join(top, '.git') };
  const reader = new ObjectReader(() => {
    starts += 1;
    return startGroup('git', ['cat-file', '--batch-command', '-z', '--buffer'], {
      cwd: path.join(top, '.git'),
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
  });
  onTestFinished(() => reader.close());
  return { reader, starts: () => starts };
}

async function content(reader: ObjectReader, name: string, given: AbortSignal = signal): Promise<string | undefined> {
  return (await reader.request('contents', Buffer.from(name), given))?.content.toString();
}

/** Creates an object for which git waits forever, and returns the id of the object. */
async function endlessBlob(top: string): Promise<string> {
  const oid = git(top, ['hash-object', '-w', '--stdin'], { input: 'endless' }).trim();
  const object = path.join(top, '.git/objects', oid.slice(0, 2), oid.slice(2));
  await rm(object);
  execFileSync('mkfifo', [object]);
  return oid;
}

describe('an object reader', () => {
  it('answers many simultaneous requests correctly with one process', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [`f${index}`, `${'x'.repeat(index * 37)}\n\0${index}`]),
    );
    const { reader, starts } = createReader(await repositoryOf([['Begin', files]]));
    const names = Object.keys(files);
    expect(await Promise.all(names.map((name) => content(reader, `HEAD:${name}`)))).toEqual(Object.values(files));
    expect(starts()).toBe(1);
  });

  it.each([
    ['a missing path', 'HEAD:missing'],
    ['a path with a newline', 'HEAD:a\nb'],
    ['a newline that forges an answer', 'HEAD:\n1234567890123456789012345678901234567890 blob 1\nx'],
    ['a name that looks like an answer', '1234567890123456789012345678901234567890 blob 5'],
    ['an option', '--textconv'],
    ['a command', 'flush'],
    ['an empty name', ''],
    ['NUL and a command', 'HEAD\0contents HEAD'],
  ])('finds no object for %s, and answers the next request', async (_, name) => {
    const { reader } = createReader(await repositoryOf([['Begin', { a: 'x' }]]));
    expect(await Promise.all([content(reader, name), content(reader, 'HEAD:a')])).toEqual([undefined, 'x']);
    expect(await reader.request('info', Buffer.from(name), signal)).toBeUndefined();
  });

  it('finds a file with a newline in its name', async () => {
    const { reader } = createReader(await repositoryOf([['Begin', { 'a\nb': 'x' }]]));
    expect(await content(reader, 'HEAD:a\nb')).toBe('x');
  });

  it('sees objects, branches and packs that were created after its start', async () => {
    const top = await repositoryOf([['Begin', { a: 'one' }]]);
    const { reader, starts } = createReader(top);
    expect(await content(reader, 'HEAD:a')).toBe('one');
    await writeIn(top, 'a', 'two');
    git(top, ['commit', '--quiet', '--all', '--message=Second']);
    git(top, ['branch', 'later']);
    expect(await content(reader, 'later:a')).toBe('two');
    git(top, ['gc', '--quiet', '--prune=now']);
    expect(await content(reader, 'HEAD~1:a')).toBe('one');
    expect(starts()).toBe(1);
  });

  it('fails only the request for a name that git cannot resolve', async () => {
    const { reader } = createReader(await repositoryOf([['Begin', { a: 'x' }]]));
    const asked = [content(reader, 'HEAD:a'), content(reader, 'HEAD@{upstream}'), content(reader, 'HEAD:a')];
    expect(await Promise.allSettled(asked)).toMatchObject([{ value: 'x' }, { reason: { code: 'GIT_FAILED' } }, { value: 'x' }]);
  });

  it('fails with GIT_NOT_FOUND if the process cannot be started', async () => {
    const cwd = await repositoryOf([['Begin', { a: 'x' }]]);
    const reader = new ObjectReader(() => startGroup('no-such-git', [], { cwd, env: {}, stdio: ['pipe', 'pipe', 'ignore'] }));
    await expect(content(reader, 'HEAD:a')).rejects.toMatchObject({ code: 'GIT_NOT_FOUND' });
  });

  it('rejects output that is not a valid response', async () => {
    const cwd = await repositoryOf([['Begin', { a: 'x' }]]);
    const env = { PATH: process.env['PATH'] ?? '' };
    const reader = new ObjectReader(() =>
      startGroup('sh', ['-c', 'echo nonsense; cat >/dev/null'], { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] }),
    );
    await expect(content(reader, 'HEAD:a')).rejects.toMatchObject({ message: 'git wrote an unexpected response' });
  });
});

describe.runIf(platform() === 'linux')('the process of an object reader', () => {
  const place = async (): Promise<Started & { readonly top: string; readonly gitDir: string }> => {
    const top = await repositoryOf([['Begin', { a: 'x' }]]);
    return { top, gitDir: path.join(top, '.git'), ...createReader(top) };
  };

  it('ends with a cancelled request; a new process answers the other requests', async () => {
    const { reader, starts, top, gitDir } = await place();
    const endless = await endlessBlob(top);
    expect(await content(reader, 'HEAD:a')).toBe('x');
    const controller = new AbortController();
    const stuck = content(reader, endless, controller.signal).catch((error: unknown) => error);
    const behind = Promise.all(Array.from({ length: 20 }, () => content(reader, 'HEAD:a')));
    const [first] = await pidsIn(gitDir);
    controller.abort(new Error('enough'));
    expect(await stuck).toMatchObject({ message: 'enough' });
    expect(await behind).toEqual(Array.from({ length: 20 }, () => 'x'));
    expect(starts()).toBe(2);
    await until(async () => !(await pidsIn(gitDir)).includes(first ?? 0), GONE_MS, 'the first one ends');
  });

  it('is not started for a request that was cancelled before', async () => {
    const { reader, starts } = await place();
    const controller = new AbortController();
    const asked = content(reader, 'HEAD:a', controller.signal);
    controller.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
    expect(starts()).toBe(0);
  });

  it('is restarted once per request if another program kills it', async () => {
    const { reader, starts, top, gitDir } = await place();
    const endless = await endlessBlob(top);
    expect(await content(reader, 'HEAD:a')).toBe('x');
    const stuck = content(reader, endless).catch((error: unknown) => error);
    const behind = content(reader, 'HEAD:a');
    for (const round of [1, 2]) {
      await until(async () => starts() === round && (await pidsIn(gitDir)).length === 1, 20_000, 'it starts');
      for (const pid of await pidsIn(gitDir)) process.kill(pid, 'SIGKILL');
      await until(async () => starts() === round + 1, 20_000, 'another one starts');
    }
    expect(await stuck).toMatchObject({ code: 'GIT_FAILED' });
    expect(await behind).toBe('x');
    expect(starts()).toBe(3);
  });

  it('ends when the reader is closed, and pending requests fail', async () => {
    const { reader, top, gitDir } = await place();
    const endless = await endlessBlob(top);
    const stuck = content(reader, endless).catch((error: unknown) => error);
    await until(async () => (await processesIn(gitDir)).length === 1, 20_000, 'it starts');
    reader.close();
    expect(await stuck).toMatchObject({ code: 'GIT_FAILED' });
    await until(async () => (await processesIn(gitDir)).length === 0, GONE_MS, 'it ends');
  });

  it('is replaced after ten thousand responses', async () => {
    const { reader, starts } = await place();
    for (let round = 0; round < 11; round += 1)
      await Promise.all(Array.from({ length: 1000 }, () => reader.request('info', Buffer.from('HEAD'), signal)));
    expect(starts()).toBe(2);
  });

  it('ends after the last response of a retired reader', async () => {
    const { reader, gitDir } = await place();
    const asked = content(reader, 'HEAD:a');
    reader.retire();
    expect(await asked).toBe('x');
    await until(async () => (await processesIn(gitDir)).length === 0, GONE_MS, 'it ends');
  });
});

describe.runIf(platform() === 'linux')('the object readers', () => {
  it('are one per repository, replaced after a change of its configuration, and at most eight', async () => {
    const program = new GitProgram();
    const guard = new Guard(program, new AllowedDirectories());
    const readers = new ObjectReaders(program);
    onTestFinished(() => readers.close());
    const readerIn = async (directory: string): Promise<ObjectReader> => {
      const examined = await guard.examine({ directory, given: directory, ceiling: path.dirname(directory), signal });
      return readers.readerFor(examined, bindToPaths({ ...examined.layout, isBare: true }));
    };
    const tops = await Promise.all(Array.from({ length: 9 }, () => repositoryOf([['Begin', { a: 'x' }]])));
    const first = tops[0] ?? '';
    const reader = await readerIn(first);
    expect(await content(reader, 'HEAD:a')).toBe('x');
    await writeIn(first, 'new', 'x');
    git(first, ['add', 'new']);
    expect(await readerIn(first)).toBe(reader);
    git(first, ['config', 'x.y', 'z']);
    expect(await readerIn(first)).not.toBe(reader);
    await until(async () => (await processesIn(path.join(first, '.git'))).length === 0, GONE_MS, 'the one before ends');
    for (const top of tops) expect(await content(await readerIn(top), 'HEAD:a')).toBe('x');
    await until(async () => (await processesIn(path.join(first, '.git'))).length === 0, GONE_MS, 'the longest unused ends');
    const running = await Promise.all(tops.map((top) => processesIn(path.join(top, '.git'))));
    expect(running.flat()).toHaveLength(8);
  });
});
