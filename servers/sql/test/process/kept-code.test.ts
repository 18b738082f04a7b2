import { cp, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { connectProcess, runProgram } from '@org/mcp-testing';
import { describe, expect, it, onTestFinished } from 'vitest';

import { useDatabase } from '../fixtures/postgres.ts';

const PACKAGE = fileURLToPath(new URL('../..', import.meta.url));
const database = useDatabase({});

/** Exits with 0 if V8 takes the code that was kept of a script: it follows a digest and a byte. */
const TAKES = `
  const { readFileSync } = require('node:fs');
  const [file] = process.argv.slice(1);
  const cachedData = readFileSync(file + '.compiled').subarray(33);
  const script = new (require('node:vm').Script)(require('node:module').wrap(readFileSync(file, 'utf8')), { cachedData });
  process.exitCode = script.cachedDataRejected ? 1 : 0;`;

/** A bundle of which nothing was compiled yet. */
async function freshBundle(): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), 'kept-code-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await symlink(path.join(PACKAGE, 'node_modules'), path.join(root, 'node_modules'), 'junction');
  const bundle = path.join(root, 'bundle');
  await cp(path.join(PACKAGE, 'bundle'), bundle, { recursive: true, filter: (file) => !file.includes('.compiled') });
  return bundle;
}

async function answerOf(bundle: string): Promise<string> {
  const args = [path.join(bundle, 'start.js'), '--state-dir', path.join(bundle, '../state'), database.url()];
  await using session = await connectProcess({ command: process.execPath, args });
  return await session.text('query', { sql: 'select 6 * 7 as answer' });
}

describe('what was compiled of the program', () => {
  it('is kept as the next start takes it, though the parser has set a flag of V8', async () => {
    const bundle = await freshBundle();
    expect(await answerOf(bundle)).toContain('42');
    const kept = (await readdir(bundle))
      .filter((name) => name.endsWith('.compiled'))
      .map((name) => name.replace('.compiled', ''));
    expect(kept).toContain('bin.js');
    for (const name of kept)
      expect(await runProgram({ command: process.execPath, args: ['-e', TAKES, path.join(bundle, name)] })).toMatchObject({
        code: 0,
      });
    expect(await answerOf(bundle)).toContain('42');
  });
});
