import { execFileSync } from 'node:child_process';
import { constants, mkdtempSync, rmSync } from 'node:fs';
import { link, lstat, open, readFile, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { createFixture, GUARANTEES, getOutcome, type RootFixture } from '../fixtures.ts';
import { OUTCOMES, OPERATIONS, collectOutcomes, readFile as readThrough } from '../operations.ts';

const TERABYTE = 1e12;

/** Special files, and how each is created at a path. */
const SPECIAL = {
  'a FIFO': (target: string) => void execFileSync('mkfifo', [target]),
  'a socket': listenAt,
  'a device': (target: string) => void execFileSync('mknod', [target, 'c', '1', '5'], { stdio: 'ignore' }),
} as const;

const MAKES_DEVICES = makesDevices();

describe.skipIf(process.platform === 'win32').each(GUARANTEES)('special files (guarantee %s)', (guarantee) => {
  describe.each(Object.entries(SPECIAL))('%s', (what, make) => {
    it.skipIf(what === 'a device' && !MAKES_DEVICES)('is never opened, but can be replaced, moved and deleted', async () => {
      const planted = async (): Promise<RootFixture> => {
        const at = await createFixture({ guarantee });
        await make(path.join(at.root, 'special'));
        return at;
      };
      expect(await collectOutcomes(planted, () => 'special')).toEqual({ ...OUTCOMES.file, read: 'NOT_REGULAR_FILE' });
      expect(await collectOutcomes(planted, () => 'special/x')).toEqual(OUTCOMES['nothing in a file']);
    });
  });

  describe('attempts to read a FIFO without a writer', () => {
    it('are rejected without waiting for a writer, 16 at once, and leave no reader behind', async () => {
      const { root, roots } = await createFixture({ guarantee });
      const fifo = path.join(root, 'fifo');
      execFileSync('mkfifo', [fifo]);
      const reads = Array.from({ length: 16 }, () => getOutcome(roots.openFile('fifo')));
      expect(await readThrough(roots, 'ok.txt')).toBe('ok.txt');
      expect(new Set(await Promise.all(reads))).toEqual(new Set(['NOT_REGULAR_FILE']));
      // A non-blocking writer fails with ENXIO if no process has the FIFO open for reading.
      await expect(open(fifo, constants.O_WRONLY | constants.O_NONBLOCK)).rejects.toMatchObject({ code: 'ENXIO' });
    });
  });

  describe('a sparse file of a terabyte', () => {
    it('is read at the requested position, not beyond its end', async () => {
      const { root, roots } = await createFixture({ guarantee });
      await writeFile(path.join(root, 'sparse'), 'begin');
      await truncate(path.join(root, 'sparse'), TERABYTE);
      await using file = await roots.openFile('sparse');
      expect(file.size).toBe(TERABYTE);
      expect((await file.readAt(0, 6)).toString()).toBe('begin\0');
      expect(await file.readAt(TERABYTE - 3, 1024)).toEqual(Buffer.alloc(3));
      expect(await file.readAt(TERABYTE, 1024)).toEqual(Buffer.alloc(0));
    });
  });

  describe('a file with a hard link outside the roots', () => {
    it('is accessible by default', async () => {
      expect(await collectOutcomes(linked, () => 'hard')).toEqual(OUTCOMES.file);
    });

    it('is replaced when written, and the other name keeps its content', async () => {
      const { root, outside, roots } = await linked();
      await OPERATIONS.write(roots, 'hard');
      expect(await readFile(path.join(outside, 'secret.txt'), 'utf8')).toBe('secret.txt');
      expect((await lstat(path.join(root, 'hard'))).nlink).toBe(1);
    });

    it('is not readable with hardLinks: deny', async () => {
      const strict = (): Promise<RootFixture> => linked('deny');
      expect(await collectOutcomes(strict, () => 'hard')).toEqual({ ...OUTCOMES.file, read: 'DENIED_BY_POLICY' });
      expect(await collectOutcomes(strict, () => 'ok.txt')).toEqual(OUTCOMES.file);
    });

    async function linked(hardLinks: 'allow' | 'deny' = 'allow'): Promise<RootFixture> {
      const at = await createFixture({ guarantee, hardLinks });
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

/** Whether this process can create devices. Usually only root can, and some containers forbid it even to root. */
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
