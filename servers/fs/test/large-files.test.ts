import { readFile, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { connectProcess } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { mcpFs } from './fixtures/mcp-fs.ts';
import { temporaryDirectory, temporaryState } from './fixtures/temporary.ts';

const GIGABYTE = 1_073_741_824;
const MOST_MEMORY = 100_000_000;

/** Returns the peak memory of a process, in bytes. */
async function peakOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

describe.runIf(process.platform === 'linux')('a file of a gigabyte', () => {
  it('is rejected with a hint by tools that need the whole file, and is read in parts without loading the whole file', async () => {
    const root = await temporaryDirectory();
    await writeFile(path.join(root, 'log'), 'first line\n'.repeat(50_000));
    await truncate(path.join(root, 'log'), GIGABYTE);
    await using session = await connectProcess(mcpFs('--state-dir', temporaryState(), root));
    const pid = (session.client.transport as unknown as { readonly pid: number }).pid;
    expect(await session.text('read_text_file', { path: 'log', head: 1 })).toContain('first line');
    const before = await peakOf(pid);
    expect(await session.fails('read_media_file', { path: 'log' })).toMatch(/^TOO_LARGE: .*\n.+/);
    expect(await session.fails('edit_file', { path: 'log', edits: [{ oldText: 'a', newText: 'b' }] })).toMatch(
      /^TOO_LARGE: .*\n.+/,
    );
    const resource = session.client.readResource({ uri: pathToFileURL(path.join(root, 'log')).href });
    await expect(resource).rejects.toMatchObject({ data: { code: 'TOO_LARGE' } });
    const { content } = await session.call('read_text_file', { path: 'log' });
    expect(content[0]).toMatchObject({ text: expect.stringContaining('Read on with offset') });
    expect(await session.fails('read_text_file', { path: 'log', tail: 5 })).toMatch(/^BINARY_FILE/);
    expect((await peakOf(pid)) - before).toBeLessThan(GIGABYTE / 16);
    expect(await peakOf(pid)).toBeLessThan(MOST_MEMORY);
  });
});
