import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type * as Decorators from '@org/mcp-decorators';
import type * as Rules from 'class-validator';

/**
 * Packages that are copied, so that Node.js loads a second instance. Their other dependencies are linked.
 * `@org/mcp-decorators` contains its own copy of reflect-metadata.
 */
const COPIED = ['@org/mcp-decorators', 'class-validator'];

/** An installation of the package and of the packages that store its metadata; `remove` deletes the files. */
export interface InstalledCopy {
  readonly decorators: typeof Decorators;
  readonly rules: typeof Rules;
  readonly remove: () => void;
}

/** Installs the built package in a directory of its own, and loads it from there. */
export async function installCopy(): Promise<InstalledCopy> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-copy-')));
  const modules = join(directory, 'node_modules');
  for (const name of COPIED) install(name, import.meta.dirname, modules);
  return {
    decorators: await import(pathToFileURL(join(modules, '@org/mcp-decorators/lib/index.js')).href),
    rules: await import(pathToFileURL(join(modules, 'class-validator/cjs/index.js')).href),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

function install(name: string, dependent: string, modules: string): void {
  const source = installedIn(dependent, name);
  const target = join(modules, name);
  if (existsSync(target)) return;
  mkdirSync(dirname(target), { recursive: true });
  if (!COPIED.includes(name)) return symlinkSync(source, target, 'junction');
  cpSync(source, target, { recursive: true, filter: (path) => basename(path) !== 'node_modules' });
  const { dependencies = {} } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  for (const dependency of Object.keys(dependencies)) install(dependency, source, modules);
}

/** Returns the directory from which the code of a directory loads a package. */
function installedIn(directory: string, name: string): string {
  const candidate = join(directory, 'node_modules', name);
  if (existsSync(candidate)) return realpathSync(candidate);
  if (dirname(directory) === directory) throw new Error(`${name} is not installed`);
  return installedIn(dirname(directory), name);
}
