import { chmod, chown, cp, mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { connectProcess } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { BOUND_BY_PERMISSIONS, giveToBound } from './fixtures/nobody.ts';
import { temporaryDirectory } from './fixtures/temporary.ts';

const BUNDLE = fileURLToPath(new URL('../bundle', import.meta.url));

/** A bundle of which nothing was compiled yet. */
async function freshBundle(): Promise<string> {
  const bundle = path.join(await temporaryDirectory(), 'bundle');
  await cp(BUNDLE, bundle, { recursive: true, filter: (file) => !file.includes('.compiled') });
  return bundle;
}

/** Starts a program of a bundle, and ends it when it has answered. */
async function answerOf(bundle: string, program = 'start.js', flags: readonly string[] = []): Promise<string> {
  const root = path.join(bundle, '../root');
  await mkdir(root, { recursive: true });
  const args = [...flags, path.join(bundle, program), '--state-dir', path.join(bundle, '../state'), root];
  await using session = await connectProcess({ command: process.execPath, args });
  return await session.text('list_allowed_directories');
}

async function keptIn(bundle: string): Promise<readonly string[]> {
  return (await readdir(bundle)).filter((name) => name.includes('.compiled'));
}

describe('the compiled code of the program', () => {
  it('is stored beside the program when a process ends, and used by later processes', async () => {
    const bundle = await freshBundle();
    const answers = [await answerOf(bundle, 'bin.js')];
    expect(await keptIn(bundle)).toEqual([]);
    for (let start = 0; start < 3; start += 1) answers.push(await answerOf(bundle));
    expect(await keptIn(bundle)).toContain('bin.js.compiled');
    expect((await keptIn(bundle)).filter((name) => !name.endsWith('.compiled'))).toEqual([]);
    expect(new Set(answers).size).toBe(1);
  });

  const damages: Readonly<Record<string, (file: string) => Promise<void>>> = {
    'is empty': (file) => truncate(file),
    'has half of its bytes': async (file) => truncate(file, Math.floor((await readFile(file)).length / 2)),
    'has another byte in the code': async (file) => {
      const content = await readFile(file);
      content[61] = (content[61] ?? 0) ^ 0x41;
      await writeFile(file, content);
    },
    'is that of another script': async (file) => {
      const other = (await keptIn(path.dirname(file))).find((name) => name !== path.basename(file)) ?? '';
      await cp(path.join(path.dirname(file), other), file);
    },
  };

  it.each(Object.entries(damages))('is compiled again if it %s', async (_, damage) => {
    const bundle = await freshBundle();
    const answer = await answerOf(bundle);
    const file = path.join(bundle, 'bin.js.compiled');
    const { length } = await readFile(file);
    await damage(file);
    expect(await answerOf(bundle)).toBe(answer);
    expect((await readFile(file)).length).toBeGreaterThan(length / 2);
  });

  const isRoot = process.getuid?.() === 0;
  const distrusted: Readonly<Record<string, (file: string) => Promise<void>>> = {
    'others can write': (file) => chmod(file, 0o666),
    ...(isRoot && { 'another user has written': (file) => chown(file, 65_534, 65_534) }),
  };

  it.skipIf(process.platform === 'win32').each(Object.entries(distrusted))('is compiled again if %s it', async (_, spoil) => {
    const bundle = await freshBundle();
    const answer = await answerOf(bundle);
    const file = path.join(bundle, 'bin.js.compiled');
    const { mode, uid } = await stat(file);
    await spoil(file);
    expect(await answerOf(bundle)).toBe(answer);
    expect(await stat(file)).toMatchObject({ mode, uid });
  });

  it('is compiled again after the program changed', async () => {
    const bundle = await freshBundle();
    await answerOf(bundle);
    const program = path.join(bundle, 'bin.js');
    await writeFile(program, `process.exit(7);${await readFile(program, 'utf8')}`);
    await expect(answerOf(bundle)).rejects.toThrow();
  });

  it.skipIf(process.platform === 'win32')('is not stored in a read-only directory', async () => {
    const bundle = await freshBundle();
    await giveToBound(path.dirname(bundle));
    await chmod(bundle, 0o555);
    expect(await answerOf(bundle, 'start.js', BOUND_BY_PERMISSIONS)).toBe(
      await answerOf(bundle, 'start.js', BOUND_BY_PERMISSIONS),
    );
    expect(await keptIn(bundle)).toEqual([]);
  });
});
