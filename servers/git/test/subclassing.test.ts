import { readFile } from 'node:fs/promises';

import { connect, ERAS, expectCompatible } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { GitServer } from '../src/index.ts';
import { TeamGit, TeamOptions } from './team-git.ts';
import { repositoryOf } from './temporary.ts';

async function code(file: string): Promise<string> {
  return readFile(new URL(file, import.meta.url), 'utf8');
}

/** What makes a process of it, and where it comes from. */
const AROUND = /^import .*\n|\nawait runServer.*\n/gm;

describe.each(ERAS)('a subclass of the git server on a %s connection', (era) => {
  it('adds a tool, changes one, and leaves one out', async () => {
    const top = await repositoryOf([['Begin', { 'a.txt': 'one\n' }]]);
    const options = Object.assign(new TeamOptions(), { directories: [top] });
    await using session = await connect(new TeamGit(options), { era });
    expect(await session.toolNames()).not.toContain('git_clean');
    expect(await session.fails('git_commit', { message: 'Extend', allow_empty: true })).toBe(
      'INVALID_ARGUMENTS: the message names no issue\nbegin it with ACME-, and its number',
    );
    expect(await session.text('git_commit', { message: 'ACME-1 Extend', allow_empty: true })).toContain(
      'ACME-1 Extend (0 files)',
    );
    expect(await session.text('committers')).toBe('     2\tAnn\n');
  });
});

describe('a subclass of the git server', () => {
  it('keeps what clients rely on', () => {
    expectCompatible(TeamGit, GitServer, { except: ['git_clean'] });
  });

  it('is written in the readme as it is tested', async () => {
    const [, written = ''] = /^```ts\n(.*?)^```$/ms.exec(await code('../README.md')) ?? [];
    expect(written.replaceAll(AROUND, '')).toBe((await code('team-git.ts')).replaceAll(AROUND, '').replace('\n\n', '\n'));
  });
});
