import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ToolError } from '@org/mcp-decorators';
import { Roots, type Guarantee } from '@org/mcp-roots';
import { describe, expect, it } from 'vitest';

import { aliasing, mountForSuite } from '../fixtures/mounts.ts';

/** Linux without /proc, macOS and Windows have the guarantee `rechecked`. */
const GUARANTEES: readonly Guarantee[] = ['pinned', 'rechecked'];

describe.each(GUARANTEES)('on a file system with every alias, with the guarantee %s,', (guarantee) => {
  const directoryFor = mountForSuite(aliasing('fold', 'normalise', 'strip', 'short', 'streams'));

  it('an entry has the name that its directory lists', async (context) => {
    await using roots = await opened(await directoryFor(context));
    for (const given of ['Plain.txt', 'PLAIN.TXT', 'plain.txt.', 'LINK', 'Sub Directory/File', 'SUBDIR~1/FILE']) {
      await using entry = await roots.findEntry(given);
      expect(['plain.txt', 'link', 'file'], given).toContain(entry.name);
      expect(entry.shown).toBe(path.join(entry.directory.shown, entry.name));
      expect(path.basename(given)).toContain(entry.asked);
    }
  });

  it('a link that is named like a secret is neither moved nor replaced by another spelling', async (context) => {
    await using roots = await opened(await directoryFor(context));
    for (const given of ['.env', '.ENV', '.Env.', 'ENV~1', '.env:x']) {
      const attempts = [
        () => roots.findEntryToMove(given),
        () => roots.findEntryToWrite(given),
        () => roots.findEntry(given),
        () => roots.openFile(given),
      ];
      for (const attempt of attempts) expect(await codeOf(attempt()), given).toMatch(/^(?:DENIED_BY_POLICY|NOT_FOUND)$/);
    }
  });

  it('a read-only root is neither written in nor moved by another spelling', async (context) => {
    const root = await directoryFor(context);
    await mkdir(path.join(root, 'sub directory'));
    await using roots = await Roots.open([root, { path: path.join(root, 'SUB Directory'), mode: 'ro' }], { guarantee });
    for (const given of ['sub directory', 'SUB DIRECTORY', 'Sub Directory ', 'SUBDIR~1']) {
      await using directory = await roots.openDirectory(given).catch(() => roots.openDirectory('sub directory'));
      expect(directory.mode, given).toBe('ro');
      expect(await codeOf(roots.findEntryToWrite(`${given}/new`)), given).toMatch(/^(?:READ_ONLY|NOT_FOUND)$/);
      await using above = await roots.openDirectory('.');
      expect(await codeOf(above.rename('sub directory', above, 'taken')), given).toMatch(/^(?:READ_ONLY|DENIED_BY_POLICY)$/);
    }
  });

  it('a missing read-only root is recognized in every spelling', async (context) => {
    const root = await directoryFor(context);
    await using roots = await Roots.open([root, { path: path.join(root, 'later'), mode: 'ro' }], { guarantee });
    await mkdir(path.join(root, 'LATER'));
    for (const given of ['LATER/x', 'later/x', 'Later./x'])
      expect(await codeOf(roots.findEntryToWrite(given)), given).toBe('READ_ONLY');
  });

  it('rules apply to the listed name of an opened file', async (context) => {
    await using roots = await opened(await directoryFor(context));
    await using directory = await roots.openDirectory('.');
    for (const below of ['SERVER~1.PEM', 'server key.pem:x', 'SERVER KEY.PEM', 'sub directory/../server key.pem'])
      expect(await codeOf(directory.openFile(below)), below).not.toBe('allowed');
    await using file = await directory.openFile('SUB DIRECTORY/FILE');
    expect(file.size).toBe(4);
  });

  async function opened(root: string): Promise<Roots> {
    await mkdir(path.join(root, 'sub directory'));
    for (const name of ['plain.txt', 'server key.pem', 'sub directory/file']) await writeFile(path.join(root, name), 'text');
    for (const name of ['link', '.env']) await symlink('plain.txt', path.join(root, name));
    return Roots.open([root], { guarantee, deny: ['.env', '*.pem'] });
  }
});

async function codeOf(attempt: Promise<unknown>): Promise<string> {
  return attempt.then(
    () => 'allowed',
    (error: unknown) => (ToolError.is(error) ? error.code : String(error)),
  );
}
