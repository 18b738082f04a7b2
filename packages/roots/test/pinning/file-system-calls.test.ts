import { constants } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { SYNCHRONOUS_CALLS, limitConcurrency, POOLED_CALLS } from '../../src/pinning/file-system-calls.ts';
import { temporaryDirectory } from '../fixtures.ts';

const { O_CREAT, O_EXCL, O_RDWR } = constants;

describe.each([
  ['synchronous', SYNCHRONOUS_CALLS],
  ['pooled', POOLED_CALLS],
] as const)('the calls of the file system %s', (_, calls) => {
  it('perform the file system operations that their names describe', async () => {
    const root = await temporaryDirectory();
    const at = (name: string): string => path.join(root, name);
    const file = await calls.open(at('file'), O_CREAT | O_EXCL | O_RDWR, 0o600);
    expect(await calls.write(file, Buffer.from('-content'), 1)).toBe(7);
    await calls.fsync(file);
    await calls.fchmod(file, 0o640);
    const { uid, gid } = await calls.fstat(file);
    await calls.fchown(file, Number(uid), Number(gid));
    const bytes = Buffer.alloc(4);
    expect(await calls.read(file, bytes, 3)).toBe(4);
    expect(bytes.toString()).toBe('tent');
    await calls.close(file);
    await calls.link(at('file'), at('second'));
    expect(await calls.lstat(at('second'))).toMatchObject({ size: 7n, nlink: 2n, mode: BigInt(constants.S_IFREG | 0o640) });
    await calls.mkdir(at('directory'), 0o700);
    await calls.rename(at('second'), at('directory/third'));
    await calls.lutimes(at('file'), new Date(1000), new Date(2000));
    expect(await calls.stat(at('file'))).toMatchObject({ atimeMs: 1000n, mtimeMs: 2000n });
    expect(await calls.realpath(at('directory/../file'))).toBe(at('file'));
    await calls.unlink(at('directory/third'));
    await calls.rmdir(at('directory'));
    expect(await readdir(root)).toEqual(['file']);
  });

  it.each(['lstat', 'stat', 'readlink', 'realpath', 'unlink', 'rmdir'] as const)('fail for a missing file: %s', async (name) => {
    const missing = path.join(await temporaryDirectory(), 'missing');
    await expect((async () => calls[name](missing))()).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('pooled calls', () => {
  it('run two at a time, and a failed call frees its slot', async () => {
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const call = limitConcurrency(async (number: number) => {
      begun.push(number);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (number === 1) throw new Error('failed');
      return number;
    });
    const answers = Promise.allSettled([1, 2, 3, 4].map(call));
    expect(begun).toEqual([1, 2]);
    ends[0]?.();
    await expect.poll(() => begun).toEqual([1, 2, 3]);
    ends[2]?.();
    await expect.poll(() => begun).toEqual([1, 2, 3, 4]);
    ends[1]?.();
    ends[3]?.();
    expect(await answers).toMatchObject([{ status: 'rejected' }, { value: 2 }, { value: 3 }, { value: 4 }]);
  });
});
