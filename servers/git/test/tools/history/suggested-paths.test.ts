import { ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { explainRemoteFailure } from '../../../src/repository/remotes/remote-failures.ts';
import { oidOf } from '../../fixtures/branches.ts';
import { commitAt, connectGit, git, repositoryOf } from '../../fixtures/temporary.ts';

describe.each(ERAS)('the error for a path that does not exist, on a %s connection,', (era) => {
  it.each([
    ['git_blame', { path: 'src/aplication.ts' }, /did you mean src\/application\.ts\?/],
    ['git_blame', { path: 'lib/helper.ts' }, /did you mean src\/deep\/helper\.ts\?/],
    ['git_show', { revision: 'HEAD', path: 'helper.ts' }, /did you mean src\/deep\/helper\.ts\?/],
    ['git_line_history', { path: 'src/aplication.ts', start_line: 1, end_line: 1 }, /did you mean src\/application\.ts\?/],
    ['git_show', { revision: 'HEAD', path: 'index.ts' }, /did you mean a\/index\.ts, b\/index\.ts\?/],
    ['git_show', { revision: 'HEAD', path: 'nothing' }, /to list the entries of a directory/],
    ['git_blame', { path: 'something/else/entirely.md' }, /list the entries of a directory with git_show/],
  ])('of %s with %j suggests a file of the commit, if one is similar', async (tool, input, hint) => {
    const files = { 'src/application.ts': 'x\n', 'src/deep/helper.ts': 'x\n', 'a/index.ts': 'x\n', 'b/index.ts': 'x\n' };
    const top = await repositoryOf([['Begin', files]]);
    await using session = await connectGit({ directories: [top] }, era);
    expect(await session.fails(tool, input)).toMatch(/^PATH_NOT_FOUND/);
    expect(await session.fails(tool, input)).toMatch(hint);
  });
});

describe('the error for the path of a submodule', () => {
  it.each(['git_show', 'git_blame'])('of %s names the parameter that selects the submodule', async (tool) => {
    const top = await repositoryOf([['Begin', { a: '' }]]);
    git(top, ['update-index', '--add', '--cacheinfo', `160000,${oidOf(top, 'HEAD')},libs/sub`]);
    commitAt(top, 'Sub', 1);
    await using session = await connectGit({ directories: [top] });
    expect(await session.fails(tool, { revision: 'HEAD', path: 'libs/sub' })).toMatch(
      /^PATH_NOT_FOUND: libs\/sub is a submodule in [0-9a-f]{12}\nto read its files, pass its directory as repo_path$/,
    );
  });
});

describe('the error for a remote that cannot be reached', () => {
  it('has the reason of ssh, which names the address', () => {
    const stderr =
      'ssh: connect to host 127.0.0.1 port 1: Connection refused\r\nfatal: Could not read from remote repository.\n\nPlease make sure…\n';
    const output = { code: 128, stdout: Buffer.alloc(0), stderr, isTruncated: false };
    expect(explainRemoteFailure('fetch', output, stderr)).toMatchObject({
      code: 'NETWORK',
      message: 'the remote cannot be reached: connect to host 127.0.0.1 port 1: Connection refused',
    });
  });
});
