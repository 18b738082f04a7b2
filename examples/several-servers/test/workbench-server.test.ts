import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { FilesystemOptions } from '@org/mcp-fs';
import { connect, ERAS } from '@org/mcp-testing';

import { WorkbenchServer } from '../src/workbench-server.js';

const AUTHOR = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];

let project = '';

beforeAll(async () => {
  project = await realpath(await mkdtemp(path.join(tmpdir(), 'workbench-')));
  const git = (...args: readonly string[]): Buffer => execFileSync('git', ['-C', project, ...args]);
  git('init', '--quiet', '--initial-branch=main');
  await writeFile(path.join(project, 'plan.md'), '# Plan\n');
  git('add', '.');
  git(...AUTHOR, 'commit', '--quiet', '--message', 'Write the plan');
});

afterAll(() => rm(project, { recursive: true, force: true }));

function open(): WorkbenchServer {
  return new WorkbenchServer(Object.assign(new FilesystemOptions(), { directories: [project] }));
}

for (const era of ERAS) {
  describe(`WorkbenchServer, in the ${era} era,`, () => {
    it('has the tools of both servers and its own, without the removed tool', async () => {
      await using session = await connect(open(), { era, tools: ['all'] });
      const { tools } = await session.client.listTools();
      const names = tools.map(({ name }) => name);
      for (const name of ['project_state', 'edit_file', 'git_commit']) assert.ok(names.includes(name), name);
      assert.ok(!names.includes('git_clean'));
    });

    it('sees a change of a file in the history', async () => {
      await using session = await connect(open(), { era });
      await session.call('write_file', { path: 'plan.md', content: `# Plan, ${era}\n` });
      const text = await session.text('project_state', {});
      assert.match(text, /unstaged modified: plan\.md/);
      assert.match(text, /Write the plan/);
    });

    it('narrows both servers to the roots of the client', async () => {
      await using session = await connect(open(), { era, roots: () => [{ uri: 'file:///nowhere' }] });
      assert.match(await session.fails('read_text_file', { path: 'plan.md' }), /^PATH_OUTSIDE_ROOTS|^ROOTS|^NO_ROOT/);
    });
  });
}
