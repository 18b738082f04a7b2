import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { connect, eachTransport, ERAS, expectCompatible, runProgram } from '../src/index.ts';
import { GreetingServer } from './fixtures/greeting-server.mjs';
import { AcmeNotes, NotesServer } from './fixtures/notes.ts';

describe.each(ERAS)('AcmeNotes, in the %s era,', (era) => {
  it('reads notes', async () => {
    await using session = await connect(new AcmeNotes(), { era });
    expect(await session.text('read_note', { name: 'today' })).toBe('water the plants');
    expect(await session.fails('read_note', { name: 'never' })).toMatch(/^NOT_FOUND/);
  });

  it('reports progress, and can be cancelled', async () => {
    await using session = await connect(new AcmeNotes(), { era, logLevel: 'info' });
    const pending = session.start('index_notes');
    expect(await session.logs.next()).toMatchObject({ data: 'indexing' });
    expect(await pending.progress.next()).toEqual({ progress: 1, total: 100 });
    pending.cancel('enough');
    await expect(pending.result).rejects.toThrow('enough');
  });
});

it('AcmeNotes stays compatible with clients of NotesServer, except for the renamed tool', () => {
  expectCompatible(AcmeNotes, NotesServer, { except: ['delete_note'] });
});

const PROGRAM = fileURLToPath(new URL('fixtures/greeting-server.mjs', import.meta.url));

const CASES = eachTransport({
  server: ({ name }: { readonly name: string }) => new GreetingServer({ name }),
  program: ({ name }) => ({ command: process.execPath, args: [PROGRAM], env: { GREETED: name } }),
});

describe.each(CASES)('GreetingServer ($name)', ({ connect }) => {
  it('greets', async () => {
    await using session = await connect({ name: 'Ada' });
    expect(await session.text('greet')).toBe('Hello Ada');
  });
});

it('the program of GreetingServer prints its version', async () => {
  expect(await runProgram({ command: process.execPath, args: [PROGRAM, '--version'] })).toEqual({
    code: 0,
    stdout: '1.0.0\n',
    stderr: '',
  });
});

describe('the code in the page about testing', () => {
  it('is the same as the code in this test', () => {
    const page = readFileSync(new URL('../../../docs/build/testing.md', import.meta.url), 'utf8');
    const code = readFileSync(new URL(import.meta.url), 'utf8');
    const blocks = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block = '']) => block);
    expect(blocks).toHaveLength(3);
    for (const block of blocks) expect(code).toContain(block);
  });
});
