import { compileServer, type ToolDefinition } from '@org/mcp-decorators';
import { ERAS, surface } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { GitServer } from '../src/index.ts';
import { connectGit, temporaryDirectory } from './fixtures/temporary.ts';

const TOOLS = [...compileServer(GitServer).tools.values()];

function namesOf(set: string): readonly string[] {
  return TOOLS.filter(({ sets }) => sets.includes(set)).map(({ definition }) => definition.name);
}

/** Returns the names of tools. @param words the parts of the names after `git_` */
function named(words: string): readonly string[] {
  return words.split(' ').map((word) => `git_${word}`);
}

/** Tools of the reference server, with their parameters. */
const REFERENCE: Readonly<Record<string, readonly string[]>> = {
  git_status: ['repo_path'],
  git_diff_unstaged: ['repo_path', 'context_lines'],
  git_diff_staged: ['repo_path', 'context_lines'],
  git_diff: ['repo_path', 'target', 'context_lines'],
  git_commit: ['repo_path', 'message'],
  git_add: ['repo_path', 'files'],
  git_reset: ['repo_path'],
  git_log: ['repo_path', 'max_count', 'start_timestamp', 'end_timestamp'],
  git_create_branch: ['repo_path', 'branch_name', 'base_branch'],
  git_checkout: ['repo_path', 'branch_name'],
  git_show: ['repo_path', 'revision'],
  git_init: ['repo_path'],
  git_branch: ['repo_path', 'branch_type', 'contains', 'not_contains'],
};

const REACH_OUT = named('submodule_update clone fetch pull push');

/** Tools for which a second call with the same arguments changes nothing more. */
const REPEATABLE = named('add checkout fetch submodule_update sparse_checkout worktree_prune');

const MAY_LOSE = named(
  'commit reset discard_hunks restore clean rm mv delete_branch stash_drop tag_delete notes rebase edit_history abort skip worktree_remove pull push remote_set_url remote_remove',
);

describe('the surface of the git server', () => {
  it('changes only on purpose', () => {
    expect(surface(GitServer)).toMatchSnapshot();
  });

  it.each(ERAS)('fits into 25,000 bytes of tools/list on a %s connection with the default tool set', async (era) => {
    const standard = namesOf('default');
    await using session = await connectGit({ directories: [await temporaryDirectory()] }, era, { tools: ['default'] });
    const result = await session.client.listTools();
    expect(result.tools.map(({ name }) => name)).toEqual(standard);
    expect(Buffer.byteLength(JSON.stringify({ jsonrpc: '2.0', id: 1, result }))).toBeLessThan(25_000);
  });

  it('offers the tools of the reference server and other common tools', () => {
    const more = named(
      'blame restore stash_list stash_push stash_apply stash_drop merge conflicts continue abort list_repositories',
    );
    expect(namesOf('default').toSorted()).toEqual([...Object.keys(REFERENCE), ...more].toSorted());
  });

  it.each(Object.entries(REFERENCE))(
    'accepts for %s the arguments of the reference server, and requires no others',
    (name, parameters) => {
      const { inputSchema } = TOOLS.find(({ definition }) => definition.name === name)?.definition ?? {};
      expect(Object.keys(inputSchema?.properties ?? {})).toEqual(expect.arrayContaining([...parameters]));
      expect(parameters).toEqual(expect.arrayContaining(inputSchema?.required ?? []));
    },
  );

  it('puts each tool into one of the sets read, write and remote', () => {
    const [reading, writing, remote] = ['read', 'write', 'remote'].map(namesOf);
    expect([...(reading ?? []), ...(writing ?? []), ...(remote ?? [])].toSorted()).toEqual(
      TOOLS.map(({ definition }) => definition.name).toSorted(),
    );
    const changesNothing = TOOLS.filter(({ definition }) => definition.annotations?.readOnlyHint === true);
    expect(reading).toEqual(changesNothing.map(({ definition }) => definition.name).filter((name) => !remote?.includes(name)));
    expect(remote).toEqual(named('submodule_update clone fetch pull push remote_list remote_add remote_set_url remote_remove'));
    expect(namesOf('history')).toEqual(
      named(
        'log show blame grep reflog graph line_history shortlog ls_files cat_file rev_parse compare tag_list tag_verify verify_commits',
      ),
    );
  });

  it('allows hosts to show long results of tools that read and search', () => {
    const definitions = TOOLS.map(({ definition }) => definition);
    const large = definitions.filter(({ _meta }) => _meta?.['anthropic/maxResultSizeChars'] === 500_000);
    const names = named(
      'diff_unstaged diff_staged diff hunks log show blame grep graph line_history format_patch ls_files cat_file',
    );
    expect(large.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  });

  it('annotates each tool', () => {
    const definitions = TOOLS.map(({ definition }) => definition);
    expect(definitions.map(({ name, annotations }) => ({ name, ...annotations }))).toEqual(definitions.map(hintsOf));
  });
});

/** Returns the expected hints of a tool. `destructiveHint` and `idempotentHint` have no meaning for a read-only tool. */
function hintsOf({ name, annotations }: ToolDefinition): object {
  const openWorldHint = REACH_OUT.includes(name);
  if (annotations?.readOnlyHint === true) return { name, readOnlyHint: true, openWorldHint };
  const idempotentHint = REPEATABLE.includes(name);
  return { name, readOnlyHint: false, destructiveHint: MAY_LOSE.includes(name), idempotentHint, openWorldHint };
}
