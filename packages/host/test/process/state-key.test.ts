import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, it, vi } from 'vitest';

import { readStateKey } from '../../src/process/state-key.ts';
import { UsageError } from '../../src/process/usage-error.ts';

const directory = mkdtempSync(join(tmpdir(), 'mcp-key-'));
afterAll(() => rmSync(directory, { recursive: true }));

const BYTES = Buffer.from(Array.from({ length: 31 }, (_, byte) => 255 - byte).concat(10));

function fileOf(name: string, content: Uint8Array, mode = 0o600): string {
  const file = join(directory, name);
  writeFileSync(file, content, { mode });
  chmodSync(file, mode);
  return file;
}

describe('the key in a file', () => {
  it('consists of all bytes, including a final line break and bytes that are not text', () => {
    const warn = vi.fn<(message: string) => void>();
    expect(Buffer.from(readStateKey(fileOf('key', BYTES), warn))).toEqual(BYTES);
    expect(warn).not.toHaveBeenCalled();
  });

  it.each([0o640, 0o604, 0o620, 0o644])('is accepted with a warning if others can access the file: mode %o', (mode) => {
    const warn = vi.fn<(message: string) => void>();
    expect(readStateKey(fileOf(`mode-${mode}`, BYTES, mode), warn)).toHaveLength(32);
    const octal = mode.toString(8);
    expect(warn.mock.calls).toEqual([
      [expect.stringMatching(`^other users can access .*/mode-${mode} \\(mode ${octal}\\); run chmod 600 on it$`)],
    ]);
  });

  it.each([
    [
      'it is too short',
      () => fileOf('short', BYTES.subarray(1)),
      /has 31 bytes; a key has at least 32; .*openssl rand -out FILE 32/,
    ],
    ['it is empty', () => fileOf('empty', Buffer.alloc(0)), /has 0 bytes/],
    ['it is too long', () => fileOf('long', Buffer.alloc(4097)), /has 4097 bytes; a key has at most 4096/],
    ['the file does not exist', () => join(directory, 'none'), /cannot be read: no such file or directory/],
    ['the file is a directory', () => directory, /is not a file/],
    ['the file has no end', () => '/dev/zero', /is not a file/],
    ['the file is a FIFO without a writer', () => fifo(), /is not a file/],
  ])('is rejected if %s', (_, file, problem) => {
    const warn = vi.fn<(message: string) => void>();
    expect(() => readStateKey(file(), warn)).toThrow(
      expect.toSatisfy((error) => error instanceof UsageError && problem.test(error.message)),
    );
    expect(warn).not.toHaveBeenCalled();
  });
});

function fifo(): string {
  const path = join(directory, 'fifo');
  execFileSync('mkfifo', [path]);
  return path;
}
