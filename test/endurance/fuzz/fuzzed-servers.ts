import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { UsualValues } from '../../stalls/string-places.ts';

/** A server that the fuzzer starts, and values with which calls succeed. */
export interface FuzzedServer {
  readonly name: string;
  /** Path of the script, relative to the workspace. */
  readonly script: string;
  /** Arguments for a server that works in a directory. */
  readonly args: (directory: string) => readonly string[];
  readonly usual: UsualValues;
  /** Fills the directory. */
  readonly prepare: (directory: string) => Promise<void>;
}

const AUTHOR = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com'];

async function prepareFiles(directory: string): Promise<void> {
  await mkdir(path.join(directory, 'sub/deep'), { recursive: true });
  await writeFile(path.join(directory, 'a.txt'), 'one\ntwo\n');
  await writeFile(path.join(directory, 'sub/b.md'), '# Title\n'.repeat(100));
  await writeFile(path.join(directory, 'sub/deep/c.bin'), Buffer.from([0, 1, 2, 255]));
}

async function prepareRepository(directory: string): Promise<void> {
  const git = (...args: readonly string[]): void => void execFileSync('git', [...AUTHOR, ...args], { cwd: directory });
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Ann');
  git('config', 'user.email', 'ann@example.com');
  await prepareFiles(directory);
  git('add', '--all');
  git('commit', '--quiet', '--message=Begin');
  await writeFile(path.join(directory, 'a.txt'), 'one\nthree\n');
  git('commit', '--quiet', '--all', '--message=Change');
  git('branch', 'topic', 'HEAD~1');
}

export const FUZZED_SERVERS: readonly FuzzedServer[] = [
  {
    name: 'fs',
    script: 'servers/fs/bin/mcp-fs.js',
    args: (directory) => [path.join(directory, 'root'), '--state-dir', path.join(directory, 'state'), '--max-search-time', '1s'],
    usual: {
      path: 'a.txt',
      paths: ['a.txt', 'sub/b.md'],
      source: 'a.txt',
      destination: 'copy.txt',
      from: 'a.txt',
      to: 'sub/b.md',
      pattern: 'one',
      content: 'text\n',
      edits: [{ oldText: 'one', newText: 'two' }],
    },
    prepare: (directory) => prepareFiles(path.join(directory, 'root')),
  },
  {
    name: 'git',
    script: 'servers/git/bin/mcp-git.js',
    args: (directory) => [path.join(directory, 'root'), '--timeout', '20s'],
    usual: {
      repo_path: '.',
      path: 'a.txt',
      paths: ['a.txt'],
      files: ['.'],
      revision: 'HEAD',
      revisions: ['topic'],
      target: 'HEAD',
      base: 'topic',
      message: 'Message',
      branch_name: 'topic',
      url: 'https://127.0.0.1:1/x',
    },
    prepare: async (directory) => {
      await mkdir(path.join(directory, 'root'), { recursive: true });
      await prepareRepository(path.join(directory, 'root'));
    },
  },
  {
    name: 'sql',
    script: 'servers/sql/bin/mcp-sql.js',
    args: (directory) => ['--sample', '--writable', '--statement-timeout', '2s', '--state-dir', path.join(directory, 'state')],
    usual: {
      sql: 'select * from shop.orders limit 5',
      table: 'orders',
      schema: 'shop',
      object: 'orders',
      column: 'id',
      timeout_ms: 1000,
      limit: 5,
    },
    prepare: (directory) => mkdir(path.join(directory, 'root'), { recursive: true }).then(() => undefined),
  },
];
