import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { runProgram, type ProgramEnd } from '@org/mcp-testing';

import { linkPackages } from '../../scripts/workspace/consumer.mjs';
import { publishedPackages } from '../../scripts/workspace/packages.mjs';
import { packPackages } from '../../scripts/workspace/tarballs.mjs';

const WORKSPACE = fileURLToPath(new URL('../..', import.meta.url));
const PACKED = ['@org/mcp-decorators', '@org/mcp-host', '@org/mcp-testing'];

/** Reads a page of the documentation, such as `build/quick-start.md`. */
export function readPage(name: string): Promise<string> {
  return readFile(path.join(WORKSPACE, 'docs', name), 'utf8');
}

/** A package that consists of the files that pages of the documentation show. */
export class GuidePackage implements AsyncDisposable {
  readonly directory: string;

  private constructor(directory: string) {
    this.directory = directory;
  }

  /**
   * Writes the files of each page whose names match the pattern for this page. Then installs the packed packages, TypeScript and
   * vitest. A file of a later page replaces a file with the same name.
   */
  static async create(pages: readonly (readonly [page: string, files: RegExp])[]): Promise<GuidePackage> {
    const directory = await realpath(await mkdtemp(path.join(tmpdir(), 'guide-')));
    for (const [page, files] of pages)
      for (const [, name = '', code = ''] of (await readPage(page)).matchAll(/^```\w+ \[([^\]]+)\]\n(.*?)^```$/gms)) {
        if (!files.test(name)) continue;
        await mkdir(path.dirname(path.join(directory, name)), { recursive: true });
        await writeFile(path.join(directory, name), code);
      }
    await installPackages(directory);
    return new GuidePackage(directory);
  }

  /** Runs a command that must end with exit code 0. */
  async run(command: string, ...args: readonly string[]): Promise<ProgramEnd> {
    const PATH = [path.join(WORKSPACE, 'node_modules/.bin'), process.env['PATH']].join(path.delimiter);
    const end = await runProgram({ command, args: [...args], cwd: this.directory, env: { PATH, NO_COLOR: '1' } });
    assert.equal(end.code, 0, `${end.stdout}\n${end.stderr}`);
    return end;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
  }
}

async function installPackages(directory: string): Promise<void> {
  const tarballs = path.join(directory, 'tarballs');
  await mkdir(tarballs);
  const packages = publishedPackages().filter(({ manifest }) => PACKED.includes(manifest.name));
  const { code, output, extracted } = await packPackages(tarballs, packages);
  if (code !== 0) throw new Error(output);
  const modules = path.join(directory, 'node_modules');
  linkPackages(modules, extracted);
  for (const name of ['typescript', 'vitest'])
    await symlink(path.join(WORKSPACE, 'node_modules', name), path.join(modules, name), 'junction');
}
