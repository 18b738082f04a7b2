import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { connect, ERAS, type Era, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { scene } from '../../fixtures/scene.ts';
import { serverFor, temporaryDirectory } from '../../fixtures/temporary.ts';

function connectTo(root: string, era: Era = 'modern', limits: object = {}): Promise<Session> {
  return connect(serverFor({ directories: [root], tools: ['all'], ...limits }), { era });
}

async function rootWith(contents: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const root = await temporaryDirectory();
  for (const [name, content] of Object.entries(contents)) await writeFile(path.join(root, name), content);
  return root;
}

describe.each(ERAS)('diff_files, on a %s connection,', (era) => {
  it('shows the differences between two files', async () => {
    const root = await rootWith({ a: 'one\ntwo\n', b: 'one\n2\n' });
    await using session = await connectTo(root, era);
    expect(await session.text('diff_files', { from: 'a', to: 'b' })).toBe(
      `\`\`\`diff\n--- ${root}/a\n+++ ${root}/b\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n\`\`\``,
    );
  });

  it('reports that two files do not differ, whatever their encodings are', async () => {
    const root = await rootWith({ a: 'ä\n', b: Buffer.from('\uFEFFä\n', 'utf16le') });
    await using session = await connectTo(root, era);
    expect(await session.text('diff_files', { from: 'a', to: 'b' })).toBe(`No difference between ${root}/a and ${root}/b`);
  });

  it('rejects binary files and missing files', async () => {
    const root = await rootWith({ a: 'a', b: Buffer.from([0, 1, 2, 0]) });
    await using session = await connectTo(root, era);
    expect(await session.fails('diff_files', { from: 'a', to: 'b' })).toBe('BINARY_FILE: "b" is not a text file');
    expect(await session.fails('diff_files', { from: 'c', to: 'a' })).toMatch(/^NOT_FOUND/);
  });
});

describe('diff_files', () => {
  it('shortens a difference to --max-bytes', async () => {
    const lines = (word: string): string => Array.from({ length: 500 }, (_, index) => `${word} ${index}`).join('\n');
    const root = await rootWith({ a: lines('old'), b: lines('new') });
    await using session = await connectTo(root, 'modern', { maxBytes: 2048 });
    const { content } = await session.call('diff_files', { from: 'a', to: 'b' });
    expect(JSON.stringify(content).length).toBeLessThan(2500);
    expect(JSON.stringify(content)).toContain('read_text_file shows the rest');
  });

  it('rejects files above --max-edit-bytes', async () => {
    const root = await rootWith({ a: 'x'.repeat(1025), b: '' });
    await using session = await connectTo(root, 'modern', { maxEditBytes: 1024 });
    expect(await session.fails('diff_files', { from: 'b', to: 'a' })).toBe(
      'TOO_LARGE: "a" has 1025 bytes; the limit is 1024 bytes\nthe operator can raise the limit with --max-edit-bytes',
    );
  });

  it.each(['../safe_evil/secret.txt', 'file-link', 'dir-link/secret.txt', 'chain', 'dangling', 'proc-link/etc/passwd'])(
    'rejects a path outside the directories: %s',
    async (attack) => {
      const { root } = await scene();
      await using session = await connectTo(root);
      for (const given of [
        { from: attack, to: 'ok.txt' },
        { from: 'ok.txt', to: attack },
      ])
        expect(await session.fails('diff_files', given)).toMatch(/^PATH_OUTSIDE_ROOTS/);
    },
  );
});
