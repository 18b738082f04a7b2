import { execFileSync } from 'node:child_process';
import { constants, mkdtempSync, rmSync } from 'node:fs';
import { link, lstat, open, readFile, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { ground, GUARANTEES, outcome, type Ground } from './ground.ts';
import { MEETS, OPERATIONS, outcomesOf, readFile as readThrough } from './operations.ts';

const TERABYTE = 1e12;

/** What is neither a file nor a directory, and how it is made at a path. */
const SPECIAL = {
  'a FIFO': (target: string) => void execFileSync('mkfifo', [target]),
  'a socket': listenAt,
  'a device': (target: string) => void execFileSync('mknod', [target, 'c', '1', '5'], { stdio: 'ignore' }),
} as const;

const MAKES_DEVICES = makesDevices();

describe.skipIf(process.platform === 'win32').each(GUARANTEES)('held as %s,', (guarantee) => {
  describe.each(Object.entries(SPECIAL))('%s', (what, make) => {
    it.skipIf(what === 'a device' && !MAKES_DEVICES)('is never opened, and may be replaced, moved and deleted', async () => {
      const planted = async (): Promise<Ground> => {
        const at = await ground({ guarantee });
        await make(path.join(at.root, 'special'));
        return at;
      };
      expect(await outcomesOf(planted, () => 'special')).toEqual({ ...MEETS.file, read: 'NOT_REGULAR_FILE' });
      expect(await outcomesOf(planted, () => 'special/x')).toEqual(MEETS['nothing in a file']);
    });
  });

  describe('reads of a FIFO without a writer', () => {
    it('are refused without waiting for one, 16 at once, and leave nobody reading', async () => {
      const { root, roots } = await ground({ guarantee });
      const fifo = path.join(root, 'fifo');
      execFileSync('mkfifo', [fifo]);
      const reads = Array.from({ length: 16 }, () => outcome(roots.openFile('fifo')));
      expect(await readThrough(roots, 'ok.txt')).toBe('ok.txt');
      expect(new Set(await Promise.all(reads))).toEqual(new Set(['NOT_REGULAR_FILE']));
      // A writer that does not wait is told so where nobody has the FIFO open for reading.
      await expect(open(fifo, constants.O_WRONLY | constants.O_NONBLOCK)).rejects.toMatchObject({ code: 'ENXIO' });
    });
  });

  describe('a sparse file of a terabyte', () => {
    it('is read where it is asked for, and no further than its end', async () => {
      const { root, roots } = await ground({ guarantee });
      await writeFile(path.join(root, 'sparse'), 'begin');
      await truncate(path.join(root, 'sparse'), TERABYTE);
      await using file = await roots.openFile('sparse');
      expect(file.size).toBe(TERABYTE);
      expect((await file.readAt(0, 6)).toString()).toBe('begin\0');
      expect(await file.readAt(TERABYTE - 3, 1024)).toEqual(Buffer.alloc(3));
      expect(await file.readAt(TERABYTE, 1024)).toEqual(Buffer.alloc(0));
    });
  });

  describe('a file with a second name outside', () => {
    it('is a file like any other unless the operator says otherwise', async () => {
      expect(await outcomesOf(linked, () => 'hard')).toEqual(MEETS.file);
    });

    it('is replaced when it is written, and the other one stays as it is', async () => {
      const { root, outside, roots } = await linked();
      await OPERATIONS.write(roots, 'hard');
      expect(await readFile(path.join(outside, 'secret.txt'), 'utf8')).toBe('secret.txt');
      expect((await lstat(path.join(root, 'hard'))).nlink).toBe(1);
    });

    it('is not read if the operator denies such files', async () => {
      const strict = (): Promise<Ground> => linked('deny');
      expect(await outcomesOf(strict, () => 'hard')).toEqual({ ...MEETS.file, read: 'DENIED_BY_POLICY' });
      expect(await outcomesOf(strict, () => 'ok.txt')).toEqual(MEETS.file);
    });

    async function linked(hardLinks: 'allow' | 'deny' = 'allow'): Promise<Ground> {
      const at = await ground({ guarantee, hardLinks });
      await link(path.join(at.outside, 'secret.txt'), path.join(at.root, 'hard'));
      return at;
    }
  });
});

async function listenAt(target: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(target, listening));
  onTestFinished(() => new Promise<void>((closed) => void server.close(() => closed())));
}

/** Not every user may, nor root in every container. */
function makesDevices(): boolean {
  const directory = mkdtempSync(path.join(tmpdir(), 'mcp-roots-'));
  try {
    SPECIAL['a device'](path.join(directory, 'device'));
    return true;
  } catch {
    return false;
  } finally {
    rmSync(directory, { recursive: true });
  }
}
