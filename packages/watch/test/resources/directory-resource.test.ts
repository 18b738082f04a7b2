import { mkdirSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { directoryResource } from '../../src/index.ts';
import {
  RecordingListener,
  recordDirectory,
  openHub,
  countSystemWatches,
  temporaryDirectory,
  readText,
  write,
} from '../fixtures.ts';

describe('a watched directory', () => {
  it('is announced once for each entry added, renamed and removed', async () => {
    const directory = await temporaryDirectory();
    const { hub } = openHub();
    const heard = recordDirectory(directory);
    await hub.watch(directoryResource(directory), heard.changed);
    write(path.join(directory, 'a.txt'), 'a');
    await heard.until('a.txt');
    mkdirSync(path.join(directory, 'sub'));
    await heard.until('a.txt sub');
    renameSync(path.join(directory, 'a.txt'), path.join(directory, 'b.txt'));
    await heard.until('b.txt sub');
    rmSync(path.join(directory, 'sub'), { recursive: true });
    await heard.until('b.txt');
    expect(heard.seen).toEqual(['a.txt', 'a.txt sub', 'b.txt sub', 'b.txt']);
  });

  it('is not announced for changes inside its files and directories', async () => {
    const directory = await temporaryDirectory();
    write(path.join(directory, 'a.txt'), 'old');
    write(path.join(directory, 'sub/b.txt'), 'old');
    const { hub } = openHub();
    const heard = recordDirectory(directory);
    await hub.watch(directoryResource(directory), heard.changed);
    write(path.join(directory, 'a.txt'), 'new');
    write(path.join(directory, 'sub/c.txt'), 'new');
    writeFileSync(path.join(directory, 'a.txt.tmp'), 'newer');
    renameSync(path.join(directory, 'a.txt.tmp'), path.join(directory, 'a.txt'));
    mkdirSync(path.join(directory, 'last'));
    await heard.until('a.txt last sub');
    expect(heard.seen).toEqual(['a.txt last sub']);
  });

  it('is announced when a file becomes a directory of the same name', async () => {
    const entry = path.join(await temporaryDirectory(), 'entry');
    write(entry, 'file');
    const { hub } = openHub();
    const heard = new RecordingListener(() => readText(entry));
    await hub.watch(directoryResource(path.dirname(entry)), heard.changed);
    unlinkSync(entry);
    mkdirSync(entry);
    await heard.until('absent');
    expect(heard.seen).toEqual(['absent']);
  });

  it('is announced when it is created, removed and created again', async () => {
    const directory = path.join(await temporaryDirectory(), 'a/b');
    const { hub } = openHub();
    const heard = recordDirectory(directory);
    await hub.watch(directoryResource(directory), heard.changed);
    write(path.join(directory, 'one'), '');
    await heard.until('one');
    rmSync(directory, { recursive: true });
    await heard.until('absent');
    write(path.join(directory, 'two'), '');
    await heard.until('two');
    expect(heard.seen).toEqual(['one', 'absent', 'two']);
  });

  it('is announced for an entry with the name of the directory', async () => {
    const directory = path.join(await temporaryDirectory(), 'same');
    mkdirSync(directory);
    const { hub } = openHub();
    const heard = recordDirectory(directory);
    await hub.watch(directoryResource(directory), heard.changed);
    write(path.join(directory, 'same'), '');
    await heard.until('same');
    write(path.join(directory, 'other'), '');
    await heard.until('other same');
    expect(heard.seen).toEqual(['same', 'other same']);
  });

  it.runIf(process.platform === 'linux')('needs one system watch for any contents', async () => {
    const directory = await temporaryDirectory();
    for (const name of ['a.txt', 'b.txt', 'sub/c.txt']) write(path.join(directory, name), '');
    const { hub } = openHub();
    const before = countSystemWatches();
    const watch = await hub.watch(directoryResource(directory), () => undefined);
    expect(countSystemWatches() - before).toBe(1);
    await watch[Symbol.asyncDispose]();
    expect(countSystemWatches() - before).toBe(0);
  });
});
