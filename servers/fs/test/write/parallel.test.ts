import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { connectProcess, ERAS, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { mcpFs } from '../mcp-fs.ts';
import { connectFiles, temporaryDirectory, temporaryState } from '../temporary.ts';

/** A file with a line for each of so many edits. */
async function fileOf(edits: number): Promise<string> {
  const root = await temporaryDirectory();
  await writeFile(path.join(root, 'f'), Array.from({ length: edits }, (_, index) => `<${index}>\n`).join(''));
  return root;
}

async function codeOf(session: Session, index: number, ifMatch?: string): Promise<string> {
  const edits = [{ oldText: `<${index}>`, newText: `done ${index}!` }];
  const { isError, _meta } = await session.client.callTool({
    name: 'edit_file',
    arguments: { path: 'f', edits, ...(ifMatch !== undefined && { ifMatch }) },
  });
  return isError === true ? (_meta as { readonly error: { readonly code: string } }).error.code : 'ok';
}

/** What each edit came to; every success has to be in the file, and nothing else. */
async function edited(root: string, sessions: readonly Session[], count: number, ifMatch?: string): Promise<readonly string[]> {
  const codes = await Promise.all(
    Array.from({ length: count }, (_, index) => codeOf(sessions[index % sessions.length]!, index, ifMatch)),
  );
  const expected = codes.map((code, index) => (code === 'ok' ? `done ${index}!\n` : `<${index}>\n`)).join('');
  expect(await readFile(path.join(root, 'f'), 'utf8')).toBe(expected);
  return codes;
}

async function etagOf(session: Session): Promise<string> {
  const edits = [{ oldText: '<0>', newText: '<0>' }];
  const { structuredContent } = await session.call('edit_file', { path: 'f', edits, dryRun: true });
  return (structuredContent as { readonly etag: string }).etag;
}

describe.each(ERAS)('edits of one file at the same time, on a %s connection,', (era) => {
  it.each([20, 200])('are all in it: %i', async (count) => {
    const root = await fileOf(count);
    await using session = await connectFiles({ directories: [root], durability: 'fast' }, era);
    expect(await edited(root, [session], count)).not.toContain('CONFLICT');
  });

  it.each([20, 200])('that are for one etag are one success, and conflicts: %i', async (count) => {
    const root = await fileOf(count);
    await using session = await connectFiles({ directories: [root], durability: 'fast' }, era);
    const codes = await edited(root, [session], count, await etagOf(session));
    expect(codes.filter((code) => code === 'ok')).toHaveLength(1);
    expect(codes.filter((code) => code === 'CONFLICT')).toHaveLength(count - 1);
  });

  it.each([20, 200])('are all in it if two processes make them: %i', { timeout: 60_000 }, async (count) => {
    const root = await fileOf(count);
    const program = mcpFs('--state-dir', temporaryState(), '--durability', 'fast', root);
    await using first = await connectProcess(program, { era });
    await using second = await connectProcess(program, { era });
    const codes = await edited(root, [first, second], count);
    expect(codes.filter((code) => code !== 'ok')).toEqual([]);
  });
});

describe('a file that another program changes', () => {
  it('loses none of that: an edit that began before is a conflict', async () => {
    const root = await fileOf(1);
    await using session = await connectFiles({ directories: [root], durability: 'fast' });
    let written = 0;
    let isOver = false;
    const others = (async () => {
      for (; !isOver; written += 1) await writeFile(path.join(root, 'f'), `<0> ${written}\n`);
    })();
    const codes: string[] = [];
    for (let round = 0; round < 100; round += 1) {
      const { isError, _meta } = await session.client.callTool({
        name: 'edit_file',
        arguments: { path: 'f', edits: [{ oldText: '<0>', newText: '<0>+' }] },
      });
      if (isError === true) codes.push((_meta as { readonly error: { readonly code: string } }).error.code);
    }
    isOver = true;
    await others;
    expect(new Set([...codes, 'CONFLICT', 'NO_MATCH'])).toEqual(new Set(['CONFLICT', 'NO_MATCH']));
  });
});
