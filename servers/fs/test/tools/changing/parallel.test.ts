import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { connectProcess, ERAS, type Session } from '@org/mcp-testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { shareFiles, treeOf } from '../../fixtures/tree-of.ts';
import { mcpFs } from '../../fixtures/mcp-fs.ts';
import { connectFiles } from '../../fixtures/temporary.ts';

/** Creates a file with one line per edit and returns its path. */
async function fileOf(edits: number, above: string): Promise<string> {
  return path.join(await treeOf({ f: Array.from({ length: edits }, (_, index) => `<${index}>\n`).join('') }, above), 'f');
}

async function codeOf(session: Session, index: number, { file, ifMatch }: Target): Promise<string> {
  const edits = [{ oldText: `<${index}>`, newText: `done ${index}!` }];
  const { isError, _meta } = await session.client.callTool({
    name: 'edit_file',
    arguments: { path: file, edits, ...(ifMatch !== undefined && { ifMatch }) },
  });
  return isError === true ? (_meta as { readonly error: { readonly code: string } }).error.code : 'ok';
}

interface Target {
  readonly file: string;
  readonly ifMatch?: string;
}

/** Makes the edits concurrently and returns their outcomes. Expects that the file contains the successful edits and no others. */
async function edited(target: Target, sessions: readonly Session[], count: number): Promise<readonly string[]> {
  const codes = await Promise.all(
    Array.from({ length: count }, (_, index) => codeOf(sessions[index % sessions.length]!, index, target)),
  );
  const expected = codes.map((code, index) => (code === 'ok' ? `done ${index}!\n` : `<${index}>\n`)).join('');
  expect(await readFile(target.file, 'utf8')).toBe(expected);
  return codes;
}

async function etagOf(session: Session, file: string): Promise<string> {
  const edits = [{ oldText: '<0>', newText: '<0>' }];
  const { _meta } = await session.call('edit_file', { path: file, edits, dryRun: true });
  return (_meta as { readonly etag: string }).etag;
}

describe.each(ERAS)('edits of one file at the same time, on a %s connection,', (era) => {
  const shared = shareFiles({}, { durability: 'fast' }, era);
  let processes: Session[] = [];

  beforeAll(async () => {
    const program = mcpFs('--state-dir', `${shared.root}-state`, '--durability', 'fast', shared.root);
    processes = await Promise.all([connectProcess(program, { era }), connectProcess(program, { era })]);
  });
  afterAll(async () => {
    for (const session of processes) await session[Symbol.asyncDispose]();
  });

  it.each([20, 200])('are all applied: %i', async (count) => {
    const file = await fileOf(count, shared.root);
    expect(await edited({ file }, [shared.session], count)).not.toContain('CONFLICT');
  });

  it.each([20, 200])('with the same etag result in exactly one success and otherwise conflicts: %i', async (count) => {
    const file = await fileOf(count, shared.root);
    const codes = await edited({ file, ifMatch: await etagOf(shared.session, file) }, [shared.session], count);
    expect(codes.filter((code) => code === 'ok')).toHaveLength(1);
    expect(codes.filter((code) => code === 'CONFLICT')).toHaveLength(count - 1);
  });

  it.each([20, 200])('are all applied if two processes make them: %i', { timeout: 60_000 }, async (count) => {
    const codes = await edited({ file: await fileOf(count, shared.root) }, processes, count);
    expect(codes.filter((code) => code !== 'ok')).toEqual([]);
  });
});

describe('a file that another program changes', () => {
  it('keeps that change: an edit that began before reports a conflict', async () => {
    const root = await treeOf({ f: '<0>\n' });
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
