import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { connect, ERAS } from '@org/mcp-testing';

import { ReleaseOptions } from '../src/release-options.js';
import { ReleaseServer } from '../src/release-server.js';

let directory = '';

function git(...args: readonly string[]): void {
  execFileSync('git', ['-c', 'commit.gpgSign=false', '-c', 'tag.gpgSign=false', ...args], { cwd: directory });
}

function createServer(): ReleaseServer {
  return new ReleaseServer(Object.assign(new ReleaseOptions(), { directories: [directory] }));
}

beforeAll(async () => {
  directory = await realpath(await mkdtemp(path.join(tmpdir(), 'release-')));
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Ann');
  git('config', 'user.email', 'ann@example.com');
  git('commit', '--quiet', '--allow-empty', '--message=ACME-1 Begin');
  git('tag', 'v1.0');
  git('commit', '--quiet', '--allow-empty', '--message=ACME-2 Add a page');
  git('commit', '--quiet', '--allow-empty', '--message=ACME-3 Repair a link');
});

afterAll(() => rm(directory, { recursive: true, force: true }));

for (const era of ERAS) {
  describe(`ReleaseServer, in the ${era} era,`, () => {
    it('lists the commits since a release', async () => {
      await using session = await connect(createServer(), { era });
      const subjects = await session.text('commits_since', { since: 'v1.0' });
      assert.match(subjects, /^\* ACME-2 Add a page\n\* ACME-3 Repair a link/);
    });

    it('rejects a tag that git would interpret as an option', async () => {
      await using session = await connect(createServer(), { era });
      assert.match(await session.fails('commits_since', { since: '--output=x' }), /^INVALID_ARGUMENTS/);
    });

    it('requires an issue key in commit messages', async () => {
      await using session = await connect(createServer(), { era });
      assert.equal(
        await session.fails('git_commit', { message: 'Extend', allow_empty: true }),
        'INVALID_ARGUMENTS: the message does not begin with an issue key\nbegin with ACME- and the number of the issue',
      );
      assert.match(await session.text('git_commit', { message: 'ACME-4 Extend', allow_empty: true }), /ACME-4 Extend/);
    });

    it('does not offer git_clean', async () => {
      await using session = await connect(createServer(), { era, tools: ['all'] });
      const names = await session.toolNames();
      assert.ok(names.includes('git_log'));
      assert.ok(!names.includes('git_clean'));
    });
  });
}
