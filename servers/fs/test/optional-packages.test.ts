import { cp, mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { connectProcess } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { docxOf } from './fixtures/documents.ts';
import { imageOf } from './fixtures/images.ts';
import { temporaryDirectory } from './fixtures/temporary.ts';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));

/** Copies the program to a directory from which it finds no package of the workspace. */
async function copyProgram(): Promise<string> {
  const directory = await temporaryDirectory();
  await cp(path.join(PACKAGE, 'bundle'), path.join(directory, 'node_modules/@org/mcp-fs/bundle'), { recursive: true });
  return directory;
}

/** Reads a Word document and a wide image with the copied program. */
async function readBoth(directory: string, root: string): Promise<readonly [document: string, image: string]> {
  const program = path.join(directory, 'node_modules/@org/mcp-fs/bundle/start.js');
  const args = [program, root, '--tools', 'default,documents', '--state-dir', path.join(directory, 'state')];
  await using session = await connectProcess({ command: process.execPath, args });
  const document = await session.client.callTool({ name: 'read_document', arguments: { path: 'a.docx' } });
  const { content } = await session.call('read_media_file', { path: 'wide.png' });
  return [JSON.stringify(document.content), JSON.stringify(content.at(-1))];
}

describe('the optional packages', () => {
  it('are named by calls that need them, and used once they are installed beside the program', async () => {
    const [directory, root] = [await copyProgram(), await temporaryDirectory()];
    await writeFile(path.join(root, 'a.docx'), docxOf(['Some words']));
    await writeFile(path.join(root, 'wide.png'), await imageOf('png', 3000, 10));
    const [missing, unscaled] = await readBoth(directory, root);
    expect(missing).toMatch(/LIBRARY_MISSING: reading docx files needs the package mammoth, which is not installed/);
    expect(unscaled).not.toContain('pixels');
    const modules = path.join(directory, 'node_modules');
    await mkdir(modules, { recursive: true });
    for (const name of ['mammoth', 'sharp'])
      await symlink(await realpath(path.join(PACKAGE, 'node_modules', name)), path.join(modules, name));
    const [document, scaled] = await readBoth(directory, root);
    expect(document).toContain('Some words');
    expect(scaled).toContain('shown as image/png with 1568 × 5 pixels');
  });

  it('are reported with the reason if they are installed but cannot be loaded', async () => {
    const [directory, root] = [await copyProgram(), await temporaryDirectory()];
    await writeFile(path.join(root, 'a.docx'), docxOf(['Some words']));
    await writeFile(path.join(root, 'wide.png'), await imageOf('png', 10, 10));
    const broken = path.join(directory, 'node_modules/mammoth');
    await mkdir(broken, { recursive: true });
    await writeFile(path.join(broken, 'index.js'), "throw new Error('built for another machine');");
    const [document] = await readBoth(directory, root);
    expect(document).toMatch(/LIBRARY_MISSING: .* the package mammoth, which cannot be loaded: built for another machine/);
  });
});
