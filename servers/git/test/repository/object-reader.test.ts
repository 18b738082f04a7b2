import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { platform } from 'node:os';
import path from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { AllowedDirectories } from '../../src/repository/allowed-directories.ts';
import { Guard } from '../../src/repository/guard.ts';
import { bound } from '../../src/repository/pinned-configurations.ts';
import { ObjectReader } from '../../src/repository/object-reader.ts';
import { ObjectReaders } from '../../src/repository/object-readers.ts';
import { GitProgram } from '../../src/repository/program.ts';
import { startGroup } from '../../src/repository/process-group.ts';
import { GONE_MS, pidsIn, processesIn, until } from '../processes.ts';
import { git, repositoryOf, writeIn } from '../temporary.ts';

const { signal } = new AbortController();

interface Started {
  readonly reader: ObjectReader;
  /** Processes that were started until now. */
  readonly starts: () => number;
}

function readerOf(top: string): Started {
  let starts = 0;
  const env = { PATH: process.env['PATH'] ?? '', GIT_DIR: path.join(top, '.git') };
  const stdio = ['pipe', 'pipe', 'ignore'] as const;
  const reader = new ObjectReader(() => {
    starts += 1;
    return startGroup('git', ['cat-file', '--batch-command', '-z', '--buffer'], { cwd: path.join(top, '.git'), env, stdio });
  });
  onTestFinished(() => reader.end());
  return { reader, starts: () => starts };
}

async function content(reader: ObjectReader, name: string, given: AbortSignal = signal): Promise<string | undefined> {
  return (await reader.ask('contents', Buffer.from(name), given))?.content.toString();
}

/** Looking into this object, git waits for ever. */
async function endlessBlob(top: string): Promise<string> {
  const oid = git(top, ['hash-object', '-w', '--stdin'], { input: 'endless' }).trim();
  const object = path.join(top, '.git/objects', oid.slice(0, 2), oid.slice(2));
  await rm(object);
  execFileSync('mkfifo', [object]);
  return oid;
}

describe('a reader of objects', () => {
  it('answers many questions at once, each with what it asked for, by one process', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [`f${index}`, `${'x'.repeat(index * 37)}\n\0${index}`]),
    );
    const { reader, starts } = readerOf(await repositoryOf([['Begin', files]]));
    const names = Object.keys(files);
    expect(await Promise.all(names.map((name) => content(reader, `HEAD:${name}`)))).toEqual(Object.values(files));
    expect(starts()).toBe(1);
  });

  it.each([
    ['a path that is not there', 'HEAD:missing'],
    ['a path with a newline', 'HEAD:a\nb'],
    ['a newline that forges an answer', 'HEAD:\n1234567890123456789012345678901234567890 blob 1\nx'],
    ['a name that looks like an answer', '1234567890123456789012345678901234567890 blob 5'],
    ['an option', '--textconv'],
    ['a command', 'flush'],
    ['nothing', ''],
    ['NUL and a command', 'HEAD\0contents HEAD'],
  ])('finds nothing for %s, and goes on', async (_, name) => {
    const { reader } = readerOf(await repositoryOf([['Begin', { a: 'x' }]]));
    expect(await Promise.all([content(reader, name), content(reader, 'HEAD:a')])).toEqual([undefined, 'x']);
    expect(await reader.ask('info', Buffer.from(name), signal)).toBeUndefined();
  });

  it('finds a file whose name has a newline', async () => {
    const { reader } = readerOf(await repositoryOf([['Begin', { 'a\nb': 'x' }]]));
    expect(await content(reader, 'HEAD:a\nb')).toBe('x');
  });

  it('sees objects and branches that came after it was started, and packs that others made', async () => {
    const top = await repositoryOf([['Begin', { a: 'one' }]]);
    const { reader, starts } = readerOf(top);
    expect(await content(reader, 'HEAD:a')).toBe('one');
    await writeIn(top, 'a', 'two');
    git(top, ['commit', '--quiet', '--all', '--message=Second']);
    git(top, ['branch', 'later']);
    expect(await content(reader, 'later:a')).toBe('two');
    git(top, ['gc', '--quiet', '--prune=now']);
    expect(await content(reader, 'HEAD~1:a')).toBe('one');
    expect(starts()).toBe(1);
  });

  it('fails where git gives up on a name, for that alone', async () => {
    const { reader } = readerOf(await repositoryOf([['Begin', { a: 'x' }]]));
    const asked = [content(reader, 'HEAD:a'), content(reader, 'HEAD@{upstream}'), content(reader, 'HEAD:a')];
    expect(await Promise.allSettled(asked)).toMatchObject([{ value: 'x' }, { reason: { code: 'GIT_FAILED' } }, { value: 'x' }]);
  });

  it('that cannot be started says so', async () => {
    const cwd = await repositoryOf([['Begin', { a: 'x' }]]);
    const reader = new ObjectReader(() => startGroup('no-such-git', [], { cwd, env: {}, stdio: ['pipe', 'pipe', 'ignore'] }));
    await expect(content(reader, 'HEAD:a')).rejects.toMatchObject({ code: 'GIT_NOT_FOUND' });
  });

  it('believes nothing of what is no answer', async () => {
    const cwd = await repositoryOf([['Begin', { a: 'x' }]]);
    const env = { PATH: process.env['PATH'] ?? '' };
    const reader = new ObjectReader(() =>
      startGroup('sh', ['-c', 'echo nonsense; cat >/dev/null'], { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] }),
    );
    await expect(content(reader, 'HEAD:a')).rejects.toMatchObject({ message: 'git gave an answer that cannot be read' });
  });
});

describe.runIf(platform() === 'linux')('the process of a reader', () => {
  const place = async (): Promise<Started & { readonly top: string; readonly gitDir: string }> => {
    const top = await repositoryOf([['Begin', { a: 'x' }]]);
    return { top, gitDir: path.join(top, '.git'), ...readerOf(top) };
  };

  it('ends with a question that is taken back; the others are answered by a new one', async () => {
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

  it('is not started for a question that was taken back before', async () => {
    const { reader, starts } = await place();
    const controller = new AbortController();
    const asked = content(reader, 'HEAD:a', controller.signal);
    controller.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
    expect(starts()).toBe(0);
  });

  it('is started again where something killed it, once for each question', async () => {
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

  it('ends when the reader ends, and open questions fail', async () => {
    const { reader, top, gitDir } = await place();
    const endless = await endlessBlob(top);
    const stuck = content(reader, endless).catch((error: unknown) => error);
    await until(async () => (await processesIn(gitDir)).length === 1, 20_000, 'it starts');
    reader.end();
    expect(await stuck).toMatchObject({ code: 'GIT_FAILED' });
    await until(async () => (await processesIn(gitDir)).length === 0, GONE_MS, 'it ends');
  });

  it('is another after ten thousand answers', async () => {
    const { reader, starts } = await place();
    for (let round = 0; round < 11; round += 1)
      await Promise.all(Array.from({ length: 1000 }, () => reader.ask('info', Buffer.from('HEAD'), signal)));
    expect(starts()).toBe(2);
  });

  it('that is to retire ends after its last answer', async () => {
    const { reader, gitDir } = await place();
    const asked = content(reader, 'HEAD:a');
    reader.retire();
    expect(await asked).toBe('x');
    await until(async () => (await processesIn(gitDir)).length === 0, GONE_MS, 'it ends');
  });
});

describe.runIf(platform() === 'linux')('the readers of several repositories', () => {
  it('are one for each, another after a change of its configuration, and no more than eight', async () => {
    const program = new GitProgram();
    const guard = new Guard(program, new AllowedDirectories());
    const readers = new ObjectReaders(program);
    onTestFinished(() => readers.end());
    const readerIn = async (directory: string): Promise<ObjectReader> => {
      const examined = await guard.examine({ directory, given: directory, ceiling: path.dirname(directory), signal });
      return readers.of(examined, bound({ ...examined.ground, isBare: true }));
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
