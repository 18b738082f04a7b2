import { readdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { thisProcess } from '@org/mcp-host';
import { describe, expect, it } from 'vitest';

import { LockFiles } from '../../src/write/lock-file.ts';
import { temporaryDirectory } from '../temporary.ts';

const DEAD = { ...thisProcess(), pid: 4_194_305 };
const ELSEWHERE = { ...thisProcess(), machine: 'elsewhere' };
const NOW = 0;
const LONG_AGO = 3_600_000;

describe('a lock', () => {
  it.each([
    ['is taken over from a process that ended', DEAD, NOW, true],
    ['stays with one that runs', thisProcess(), LONG_AGO, false],
    ['stays with one of another machine', ELSEWHERE, NOW, false],
    ['is taken over from one of another machine that was not heard of for long', ELSEWHERE, LONG_AGO, true],
    ['stays with an owner that cannot be read', 'nonsense', NOW, false],
    ['is taken over from an owner that could not be read for long', 'nonsense', LONG_AGO, true],
  ])('%s', async (_, owner, age, isTaken) => {
    const folder = await temporaryDirectory();
    const lock = path.join(folder, 'lock');
    await writeFile(lock, typeof owner === 'string' ? owner : JSON.stringify(owner));
    const then = new Date(Date.now() - age);
    await utimes(lock, then, then);
    const files = new LockFiles(folder);
    expect(files.take('lock')).toBe(isTaken);
    if (isTaken) files.release('lock');
    files.close();
    expect(await readdir(folder)).toEqual(isTaken ? [] : ['lock']);
  });

  it('is taken over by one only, even where one died over that', async () => {
    const folder = await temporaryDirectory();
    for (const name of ['lock', 'lock.turn']) await writeFile(path.join(folder, name), JSON.stringify(DEAD));
    const [one, other] = [new LockFiles(folder), new LockFiles(folder)];
    expect([one.take('lock'), other.take('lock'), one.take('lock')]).toEqual([false, true, false]);
  });

  it('is not had twice, and told of to whoever has it', async () => {
    const folder = await temporaryDirectory();
    const [one, other] = [new LockFiles(folder), new LockFiles(folder)];
    expect([one.take('lock'), other.take('lock')]).toEqual([true, false]);
    expect(one.isWanted('lock')).toBe(false);
    other.want('lock');
    other.want('lock');
    expect([one.isWanted('lock'), one.isWanted('lock')]).toEqual([true, false]);
    one.release('lock');
    expect(other.take('lock')).toBe(true);
  });

  it('of a process that ended leaves nothing once another one begins', async () => {
    const folder = await temporaryDirectory();
    await writeFile(path.join(folder, 'x.owner'), JSON.stringify(DEAD));
    const files = new LockFiles(folder);
    expect(await readdir(folder)).not.toContain('x.owner');
    files.close();
    expect(await readdir(folder)).toEqual([]);
  });
});
