import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { connectProcess } from '@org/mcp-testing';
import { describe, expect, it, onTestFinished } from 'vitest';

const PROGRAM = fileURLToPath(new URL('fixtures/linked-package-server.mjs', import.meta.url));

/**
 * Creates a program with a link to a package, in the layout of pnpm. The package needs another one, which exists only beside
 * the target of the link.
 */
async function programWithLink(): Promise<string> {
  const top = await realpath(await mkdtemp(path.join(tmpdir(), 'mcp-linked-')));
  onTestFinished(() => rm(top, { recursive: true, force: true }));
  const store = path.join(top, 'store/node_modules');
  for (const [name, text] of [
    ['needed', "exports.text = 'loaded';"],
    ['linked', "exports.text = require('needed').text;"],
  ] as const) {
    await mkdir(path.join(store, name), { recursive: true });
    await writeFile(path.join(store, name, 'index.js'), text);
  }
  const program = path.join(top, 'program');
  await mkdir(path.join(program, 'node_modules'), { recursive: true });
  await writeFile(path.join(program, 'start.js'), '');
  await symlink(path.join(store, 'linked'), path.join(program, 'node_modules/linked'), 'junction');
  return program;
}

describe('a server over stdio', () => {
  it('loads a linked package that its first call needs', async () => {
    const env = { PROGRAM_DIRECTORY: await programWithLink() };
    await using session = await connectProcess({ command: process.execPath, args: [PROGRAM], env });
    expect(await session.text('load')).toBe('loaded');
  });
});
