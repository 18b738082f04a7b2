import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface, type Interface } from 'node:readline';

import { describe, expect, it, onTestFinished } from 'vitest';

import { directoryResource, fileResource } from '../../src/index.ts';
import { recordFile, openHub, POLLING_NOTE, temporaryDirectory, write } from '../fixtures.ts';

const PACKAGE = path.join(import.meta.dirname, '..');

/**
 * A program that watches each file whose path it reads from its input, and prints a line for each change. The input line `fill`
 * takes all free file descriptors, `free` releases these descriptors, and `watches` prints the number of watchers.
 */
const PROGRAM = `
  import { closeSync, openSync } from 'node:fs';
  import { createInterface } from 'node:readline';
  import { fileResource, WatchHub } from '@org/mcp-watch';
  const print = (...words) => process.stdout.write(words.join(' ') + '\\n');
  const hub = new WatchHub({ onError: ({ message }) => print('warning:', message) });
  const taken = [];
  const acts = {
    fill: () => { try { for (;;) taken.push(openSync('/dev/null')); } catch { print('full'); } },
    watches: () => print('watches', process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap').length),
    free: () => { for (const each of taken.splice(0)) closeSync(each); print('free'); },
  };
  createInterface(process.stdin).on('line', async (line) => {
    if (line in acts) return acts[line]();
    await hub.watch(fileResource(line), () => print('changed', line));
    print('watched', line);
  });
`;

/** A process that runs `PROGRAM` after a shell has limited a resource of the system. The process is killed after the test. */
class RestrictedProcess {
  readonly printed: string[] = [];
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: Interface;

  constructor(scarcity: string, [command = 'sh', ...args]: readonly string[] = ['sh']) {
    const shell = [...args, '-c', `${scarcity} && exec "$0" "$@"`];
    this.#child = spawn(command, [...shell, process.execPath, '--input-type=module', '-e', PROGRAM], { cwd: PACKAGE });
    this.#lines = createInterface(this.#child.stdout).on('line', (line) => this.printed.push(line));
    onTestFinished(() => void this.#child.kill('SIGKILL'));
  }

  get warnings(): readonly string[] {
    return this.printed.filter((line) => line.startsWith('warning: '));
  }

  send(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  async until(line: string): Promise<void> {
    while (!this.printed.includes(line)) await once(this.#lines, 'line');
  }
}

/** Starts a shell in a user namespace, in which limits affect no other process. Some machines do not allow user namespaces. */
const NAMESPACE = ['unshare', '--user', '--map-root-user', 'sh'];
const canLimit = spawnSync('unshare', [...NAMESPACE.slice(1), '-c', 'echo 9 > /proc/sys/user/max_inotify_watches']).status === 0;

/** Creates three files, each in its own directory. */
async function createFiles(): Promise<readonly [string, string, string]> {
  const directory = await temporaryDirectory();
  const files = [path.join(directory, 'a/1.txt'), path.join(directory, 'b/2.txt'), path.join(directory, 'c/3.txt')] as const;
  for (const file of files) write(file, 'old');
  return files;
}

describe('a process that', () => {
  it.runIf(canLimit).each([
    ['may have one watch', 'echo 1 > /proc/sys/user/max_inotify_watches', 'ENOSPC'],
    ['may have no watcher at all', 'echo 0 > /proc/sys/user/max_inotify_instances', 'EMFILE'],
  ])('%s warns once and misses no change', async (_, scarcity, code) => {
    const files = await createFiles();
    const program = new RestrictedProcess(scarcity, NAMESPACE);
    for (const file of files) {
      program.send(file);
      await program.until(`watched ${file}`);
    }
    for (const file of files) {
      write(file, 'new');
      await program.until(`changed ${file}`);
    }
    expect(program.warnings).toEqual([expect.stringContaining(code)]);
    expect(program.printed).toHaveLength(7);
  });

  it.runIf(process.platform !== 'win32')(
    'has no free descriptor warns once, and watches again when descriptors are free',
    async () => {
      const [one, two] = await createFiles();
      const program = new RestrictedProcess('ulimit -n 60');
      program.send('fill');
      await program.until('full');
      program.send(one);
      await program.until(`watched ${one}`);
      write(one, 'new');
      await program.until(`changed ${one}`);
      program.send('free');
      await program.until('free');
      program.send(two);
      await program.until(`watched ${two}`);
      write(two, 'new');
      await program.until(`changed ${two}`);
      program.send('watches');
      await program.until('watches 1');
      expect(program.warnings).toEqual([expect.stringContaining('EMFILE')]);
    },
  );
});

describe('a hub that may watch two directories', () => {
  it('polls the resources in a third directory, warns once, and misses no change', async () => {
    const { hub, errors } = openHub({ maxWatches: 2 });
    const directory = await temporaryDirectory();
    const files = ['a', 'b', 'c', 'd'].map((name) => path.join(directory, name, 'file.txt'));
    for (const file of files) write(file, 'old');
    const heard = files.map((file) => recordFile(file));
    for (const [index, file] of files.entries()) await hub.watch(fileResource(file), heard[index]!.changed);
    for (const file of files) write(file, 'new');
    await Promise.all(heard.map((each) => each.until('new')));
    expect(heard.map(({ seen }) => seen)).toEqual(files.map(() => ['new']));
    expect(errors.seen).toEqual([`MAX_WATCHES: the limit of 2 watched directories is reached; ${POLLING_NOTE}`]);
  });

  it('counts a shared directory once and does not count closed watches', async () => {
    const { hub, errors } = openHub({ maxWatches: 2 });
    const directory = await temporaryDirectory();
    const watches = await Promise.all(
      ['a.txt', 'b.txt', 'c.txt'].map((name) => hub.watch(fileResource(path.join(directory, name)), () => undefined)),
    );
    for (const name of ['one', 'two', 'three']) {
      write(path.join(directory, name, 'file.txt'), '');
      const watch = await hub.watch(directoryResource(path.join(directory, name)), () => undefined);
      await watch[Symbol.asyncDispose]();
    }
    expect(errors.seen).toEqual([]);
    await Promise.all(watches.map((watch) => watch[Symbol.asyncDispose]()));
  });
});
