import { basename } from 'node:path/posix';

import { decodeList, records } from './parse/fields.ts';
import { pathList } from './path-bytes.ts';
import type { Repository } from './repository.ts';

/** Written by package managers, wherever they lie. */
const LOCK_FILES: ReadonlySet<string> = new Set([
  '.terraform.lock.hcl',
  'bun.lock',
  'bun.lockb',
  'Cargo.lock',
  'Cartfile.resolved',
  'composer.lock',
  'deno.lock',
  'flake.lock',
  'Gemfile.lock',
  'go.sum',
  'gradle.lockfile',
  'mix.lock',
  'MODULE.bazel.lock',
  'npm-shrinkwrap.json',
  'package-lock.json',
  'Package.resolved',
  'packages.lock.json',
  'pdm.lock',
  'Pipfile.lock',
  'pnpm-lock.yaml',
  'Podfile.lock',
  'poetry.lock',
  'pubspec.lock',
  'uv.lock',
  'yarn.lock',
]);

/** The attribute by which a repository says what is generated. */
const ATTRIBUTE = 'linguist-generated';
/** path, attribute, value */
const FIELDS = 3;

/** Those of some files that are generated: lock files of package managers, and what the repository's attributes call so. */
export async function generatedAmong(repository: Repository, paths: readonly string[]): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  const command = ['check-attr', '-z', '--stdin', ...(repository.ground.isBare ? ['--cached'] : []), ATTRIBUTE];
  const { stdout } = await repository.read(command, { input: pathList(paths) });
  const values = new Map(records(decodeList(stdout), FIELDS).map(([path = '', , value = '']) => [path, value]));
  return new Set(paths.filter((path) => isGenerated(path, values.get(path))));
}

function isGenerated(path: string, value: string | undefined): boolean {
  if (value === undefined || value === 'unspecified') return LOCK_FILES.has(basename(path));
  return value !== 'unset' && value !== 'false';
}
