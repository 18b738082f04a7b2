import { readdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { thisProcess } from '@org/mcp-host';
import { describe, expect, it } from 'vitest';

import { LockFiles } from '../../src/storage/lock-files.ts';
import { temporaryDirectory } from '../fixtures/temporary.ts';

const DEAD = { ...thisProcess(), pid: 4_194_305 };
const ELSEWHERE = { ...thisProcess(), machine: 'elsewhere' };
const NOW = 0;
const LONG_AGO = 3_600_000;

describe('a lock', () => {
  it.each([
    ['is taken over from a process that ended', DEAD, NOW, true],
    ['is kept by a process that runs', thisProcess(), LONG_AGO, false],
    ['is kept by a recent process of another machine', ELSEWHERE, NOW, false],
    ['is taken over from an abandoned process of another machine', ELSEWHERE, LONG_AGO, true],
    ['is kept if its owner cannot be read', 'nonsense', NOW, false],
    ['is taken over if its owner could not be read for a long time', 'nonsense', LONG_AGO, true],
  ])('%s', async (_, owner, age, isTaken) => {
    const folder = await temporaryDirectory();
    const lock = path.join(folder, 'lock');
    await writeFile(lock, typeof owner === 'string' ? owner : JSON.stringify(owner));
    const then = new Date(Date.now() - age);
    await utimes(lock, then, then);
    const files = new LockFiles(folder);
    expect(files.tryTake('lock')).toBe(isTaken);
    if (isTaken) files.release('lock');
    files.close();
    expect(await readdir(folder)).toEqual(isTaken ? [] : ['lock']);
  });

  it('is taken over by exactly one process, even if an earlier process died during the takeover', async () => {
    const folder = await temporaryDirectory();
    for (const name of ['lock', 'lock.turn']) await writeFile(path.join(folder, name), JSON.stringify(DEAD));
    const [one, other] = [new LockFiles(folder), new LockFiles(folder)];
    expect([one.tryTake('lock'), other.tryTake('lock'), one.tryTake('lock')]).toEqual([false, true, false]);
  });

  it('is held by one process at a time, which learns that another process waits', async () => {
    const folder = await temporaryDirectory();
    const [one, other] = [new LockFiles(folder), new LockFiles(folder)];
    expect([one.tryTake('lock'), other.tryTake('lock')]).toEqual([true, false]);
    expect(one.takeHandoverRequest('lock')).toBe(false);
    other.requestHandover('lock');
    other.requestHandover('lock');
    expect([one.takeHandoverRequest('lock'), one.takeHandoverRequest('lock')]).toEqual([true, false]);
    one.release('lock');
    expect(other.tryTake('lock')).toBe(true);
  });

  it('is removed when another process starts, if its own process has ended', async () => {
    const folder = await temporaryDirectory();
    await writeFile(path.join(folder, 'x.owner'), JSON.stringify(DEAD));
    const files = new LockFiles(folder);
    expect(await readdir(folder)).not.toContain('x.owner');
    files.close();
    expect(await readdir(folder)).toEqual([]);
  });
});
