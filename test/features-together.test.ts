import { execFileSync } from 'node:child_process';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { Feature, McpServer, Tool } from '@org/mcp-decorators';
import { FilesystemOptions, FilesystemServer } from '@org/mcp-fs';
import { GitOptions, GitServer } from '@org/mcp-git';
import { PostgresOptions, PostgresServer } from '@org/mcp-sql';
import { connect, connectHttp, ERAS } from '@org/mcp-testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** One server with the tools of three servers, and one tool of its own. */
@McpServer({ name: 'workbench', version: '1.0.0' })
class Workbench {
  @Feature() readonly files: FilesystemServer;
  @Feature() readonly history: GitServer;
  @Feature() readonly database: PostgresServer;

  constructor(directory: string, state: string) {
    const shared = { directories: [directory], stateDir: state };
    this.files = new FilesystemServer(Object.assign(new FilesystemOptions(), shared));
    this.history = new GitServer(Object.assign(new GitOptions(), shared));
    this.database = new PostgresServer(Object.assign(new PostgresOptions(), { stateDir: state }));
  }

  @Tool({ description: 'Greet', annotations: { readOnlyHint: true } }) greet(): string {
    return 'hello';
  }
}

const WAYS = ERAS.flatMap((era) => [
  { way: `memory, ${era}`, era, join: connect },
  { way: `http, ${era}`, era, join: connectHttp },
]);

describe.each(WAYS)('one server with the features for files, git and SQL, by $way,', ({ era, join }) => {
  let base: string;
  let repository: string;
  beforeAll(async () => {
    base = await realpath(await mkdtemp(path.join(tmpdir(), 'mcp-workbench-')));
    repository = path.join(base, 'repository');
    execFileSync('git', ['init', '--quiet', '--initial-branch=main', repository]);
    await writeFile(path.join(repository, 'a.txt'), 'one\n');
  });
  afterAll(() => rm(base, { recursive: true, force: true }));

  it('serves all their tools, resources and subscriptions', async () => {
    const server = new Workbench(repository, path.join(base, 'state'));
    await using session = await join(server, { era, tools: ['all'] });
    const names = await session.toolNames();
    expect(names[0]).toBe('greet');
    expect(names).toEqual(expect.arrayContaining(['read_text_file', 'git_status', 'query']));
    expect(names.length).toBeGreaterThan(90);
    expect(names).not.toContain('execute');
    expect(await session.text('read_text_file', { path: 'a.txt' })).toContain('one');
    expect(await session.text('git_status')).toContain('a.txt');
    expect(await session.text('query', { sql: 'select 40 + 2 as answer' })).toContain('42');
    const uri = `file://${path.join(repository, 'a.txt')}`;
    const updates = await session.subscribe(uri);
    await session.call('write_file', { path: 'a.txt', content: 'two\n' });
    await updates.next();
    const { structuredContent } = await session.call('git_status');
    const { repository: name } = structuredContent as { readonly repository: string };
    const status = await session.subscribe(`git://${name}/status`);
    await session.call('git_add', { files: ['a.txt'] });
    await status.next();
  });
});
