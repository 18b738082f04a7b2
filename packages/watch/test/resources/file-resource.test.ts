import {
  appendFileSync,
  chmodSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { fileResource } from '../../src/index.ts';
import {
  RecordingListener,
  recordFile,
  createFile,
  openHub,
  countSystemWatches,
  temporaryDirectory,
  readText,
  write,
} from '../fixtures.ts';

type Save = (file: string, text: string) => void;

/** The ways in which editors and tools save files. */
const SAVES: readonly (readonly [string, Save])[] = [
  ['truncated and written', (file, text) => writeFileSync(file, text)],
  ['appended to', (file, text) => appendFileSync(file, text)],
  [
    'replaced by a temporary file beside it',
    (file, text) => {
      writeFileSync(`${file}.tmp`, text);
      renameSync(`${file}.tmp`, file);
    },
  ],
  [
    'moved to a backup and written again',
    (file, text) => {
      renameSync(file, `${file}~`);
      writeFileSync(file, text);
      unlinkSync(`${file}~`);
    },
  ],
  [
    'deleted and created',
    (file, text) => {
      unlinkSync(file);
      writeFileSync(file, text);
    },
  ],
  [
    'linked away and replaced',
    (file, text) => {
      linkSync(file, `${file}.bak`);
      writeFileSync(`${file}.new`, text);
      renameSync(`${file}.new`, file);
      unlinkSync(`${file}.bak`);
    },
  ],
];

describe('a watched file', () => {
  it.each(SAVES)('is announced once each time it is %s', async (_, save) => {
    const file = path.join(await temporaryDirectory(), 'a.txt');
    write(file, 'old');
    const { hub } = openHub();
    const heard = recordFile(file);
    await hub.watch(fileResource(file), heard.changed);
    const expected: string[] = [];
    for (const text of ['one', 'two', 'three']) {
      save(file, text);
      expected.push(readText(file));
      await heard.until(readText(file));
    }
    expect(heard.seen).toEqual(expected);
  });

  it('is announced when it is created, removed and created again', async () => {
    const file = path.join(await temporaryDirectory(), 'a.txt');
    const { hub } = openHub();
    const heard = recordFile(file);
    await hub.watch(fileResource(file), heard.changed);
    write(file, 'one');
    await heard.until('one');
    unlinkSync(file);
    await heard.until('absent');
    write(file, 'two');
    await heard.until('two');
    expect(heard.seen).toEqual(['one', 'absent', 'two']);
  });

  it('is announced when its directories are created, removed and created again with it', async () => {
    const top = path.join(await temporaryDirectory(), 'a');
    const file = path.join(top, 'b/c.txt');
    const { hub } = openHub();
    const heard = recordFile(file);
    await hub.watch(fileResource(file), heard.changed);
    for (const text of ['one', 'two', 'three']) {
      write(file, text);
      await heard.until(text);
      rmSync(top, { recursive: true });
      await heard.until('absent');
    }
    expect(heard.seen).toEqual(['one', 'absent', 'two', 'absent', 'three', 'absent']);
  });

  it('is announced when its directory is replaced by another', async () => {
    const directory = await temporaryDirectory();
    const file = path.join(directory, 'a/c.txt');
    write(file, 'one');
    write(path.join(directory, 'b/c.txt'), 'two');
    const { hub } = openHub();
    const heard = recordFile(file);
    await hub.watch(fileResource(file), heard.changed);
    renameSync(path.join(directory, 'a'), path.join(directory, 'old'));
    renameSync(path.join(directory, 'b'), path.join(directory, 'a'));
    await heard.until('two');
    write(file, 'three');
    await heard.until('three');
    expect(heard.seen).toEqual(['two', 'three']);
  });

  it('is announced when only its time or mode changes', async () => {
    const file = path.join(await temporaryDirectory(), 'a.txt');
    write(file, 'same');
    chmodSync(file, 0o644);
    const { hub } = openHub();
    const heard = new RecordingListener(() => `${statSync(file).mtimeMs} ${(statSync(file).mode & 0o777).toString(8)}`);
    await hub.watch(fileResource(file), heard.changed);
    utimesSync(file, 1000, 1000);
    await heard.until('1000000 644');
    chmodSync(file, 0o600);
    await heard.until('1000000 600');
    expect(heard.seen).toEqual(['1000000 644', '1000000 600']);
  });

  it('has a new fingerprint after each write, even an immediate one of the same size', async () => {
    const file = await createFile();
    const seen = new Set<string>();
    for (let round = 0; round < 20; round++) {
      write(file, String.fromCodePoint(97 + round));
      seen.add(await fileResource(file).fingerprint());
    }
    expect(seen.size).toBe(20);
  });

  it('is not announced for changes of its siblings', async () => {
    const directory = await temporaryDirectory();
    const file = path.join(directory, 'a.txt');
    write(file, 'old');
    const { hub } = openHub();
    const heard = recordFile(file);
    const sibling = recordFile(path.join(directory, 'b.txt'));
    await hub.watch(fileResource(file), heard.changed);
    await hub.watch(fileResource(path.join(directory, 'b.txt')), sibling.changed);
    write(path.join(directory, 'b.txt'), 'new');
    await sibling.until('new');
    write(file, 'new');
    await heard.until('new');
    expect(heard.seen).toEqual(['new']);
    expect(sibling.seen).toEqual(['new']);
  });

  it('is not watched through a link that replaced its directory', async () => {
    const directory = await temporaryDirectory();
    const file = path.join(directory, 'a/secret.txt');
    const outside = path.join(directory, 'outside');
    write(file, 'inside');
    write(path.join(outside, 'secret.txt'), 'outside');
    const { hub } = openHub();
    const heard = recordFile(file);
    await hub.watch(fileResource(file), heard.changed);
    rmSync(path.dirname(file), { recursive: true });
    symlinkSync(outside, path.dirname(file));
    await heard.until('outside');
    expect(await fileResource(file).fingerprint()).toBe('absent');
    unlinkSync(path.dirname(file));
    write(file, 'inside again');
    await heard.until('inside again');
    expect(heard.seen).toEqual(['outside', 'inside again']);
  });

  it('is announced in a directory of many files, and when the directory is removed and created again', async () => {
    const directory = path.join(await temporaryDirectory(), 'many');
    const file = path.join(directory, '7.txt');
    for (let index = 0; index < 600; index++) write(path.join(directory, `${index}.txt`), 'old');
    const { hub } = openHub();
    const [heard, second] = [recordFile(file), recordFile(path.join(directory, '8.txt'))];
    await hub.watch(fileResource(file), heard.changed);
    await hub.watch(fileResource(path.join(directory, '8.txt')), second.changed);
    write(file, 'one');
    await heard.until('one');
    rmSync(directory, { recursive: true });
    await Promise.all([heard.until('absent'), second.until('absent')]);
    write(file, 'two');
    await heard.until('two');
    expect([heard.seen, second.seen]).toEqual([['one', 'absent', 'two'], ['absent']]);
  });

  it.runIf(process.platform === 'linux')('shares one system watch with all its siblings', async () => {
    const directory = await temporaryDirectory();
    const names = Array.from({ length: 50 }, (_, index) => path.join(directory, `${index}.txt`));
    for (const name of names) write(name, 'old');
    mkdirSync(path.join(directory, 'sub'));
    const { hub } = openHub();
    const before = countSystemWatches();
    await hub.watch(fileResource(names[0]!), () => undefined);
    expect(countSystemWatches() - before).toBe(1);
    await hub.watch(fileResource(names[1]!), () => undefined);
    await hub.watch(fileResource(path.join(directory, 'missing.txt')), () => undefined);
    expect(countSystemWatches() - before).toBe(1);
    await hub[Symbol.asyncDispose]();
    expect(countSystemWatches() - before).toBe(0);
  });
});
