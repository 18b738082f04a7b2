import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { FilesystemOptions, FilesystemServer } from '@org/mcp-fs';
import { GitOptions, GitServer } from '@org/mcp-git';
import { PostgresOptions, PostgresServer } from '@org/mcp-sql';
import { connect, ERAS, type Era, type Session } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { linesWith, openGit } from './git/open-git.ts';
import { temporaryDirectory } from './support/directories.ts';
import { APPS } from './support/shown.ts';

/** A call of a tool that has a view, and that has the same result each time. */
type Call = readonly [tool: string, args: Readonly<Record<string, unknown>>];

interface Served {
  /** Creates a new server with the same data for each session, because the end of a session closes its server. */
  readonly create: () => object;
  readonly calls: readonly Call[];
}

async function serveFiles(): Promise<Served> {
  const root = await temporaryDirectory();
  const file = path.join(root, 'a.txt');
  await writeFile(file, linesWith());
  const options = Object.assign(new FilesystemOptions(), { directories: [root], stateDir: path.join(root, '.state') });
  const edits = [{ oldText: 'line 5\n', newText: 'fifth\n' }];
  return {
    create: () => new FilesystemServer(options),
    calls: [
      ['list_directory', { path: root }],
      ['list_directory_with_sizes', { path: root }],
      ['directory_tree', { path: root }],
      ['edit_file', { path: file, edits, dryRun: true }],
      ['replace_in_files', { path: root, pattern: 'line 7', replacement: 'row 7', dryRun: true }],
      ['list_changes', {}],
    ],
  };
}

async function serveRepository(era: Era): Promise<Served> {
  const { root, git, write } = await openGit(era);
  await write('a.txt', linesWith());
  git('add', '.');
  git('commit', '--message=first');
  await write('a.txt', linesWith({ 5: 'fifth' }));
  const options = Object.assign(new GitOptions(), { directories: [root], tools: ['all'] });
  return {
    create: () => new GitServer(options),
    calls: [
      ['git_status', {}],
      ['git_hunks', {}],
      ['git_log', {}],
      ['git_graph', {}],
      ['git_branch', {}],
      ['git_show', { revision: 'HEAD' }],
      ['git_diff', { target: 'HEAD' }],
      ['git_diff_unstaged', {}],
      ['git_diff_staged', {}],
      ['git_conflicts', {}],
      ['git_restore', { paths: ['a.txt'], dry_run: true }],
      ['git_clean', { dry_run: true }],
    ],
  };
}

function serveDatabase(): Promise<Served> {
  const options = Object.assign(new PostgresOptions(), { sample: true, writable: true, tools: ['all'] });
  const sql = 'select id, name, price from shop.products order by id limit 20';
  return Promise.resolve({
    create: () => new PostgresServer(options),
    calls: [
      ['query', { sql }],
      ['query', { sql, structured: true }],
      ['explain', { sql }],
      ['er_diagram', { schema: 'shop' }],
      ['execute', { sql: 'update shop.products set price = price + 1 where id < 4', dry_run: true }],
    ],
  });
}

const SERVERS = { files: serveFiles, repositories: serveRepository, databases: serveDatabase };

/** Replaces the tokens and times, which differ between two calls. */
function normalize(result: unknown): unknown {
  return JSON.parse(
    JSON.stringify(result)
      .replaceAll(/(confirm_token(?:\\?"?:? \\?"?|":"))[\w.-]+/g, '$1TOKEN')
      .replaceAll(/"elapsed_ms":\d+/g, '"elapsed_ms":0'),
  );
}

async function callAll(session: Session, calls: readonly Call[]): Promise<readonly Record<string, unknown>[]> {
  const results: Record<string, unknown>[] = [];
  for (const [name, args] of calls) results.push({ ...(await session.client.callTool({ name, arguments: args })) });
  return results;
}

describe.each(ERAS)('a client without views, in the %s era,', (era) => {
  it.each(Object.entries(SERVERS))(
    'gets the same results for %s as one with views, but for the data of the views',
    async (_, serve) => {
      const { create, calls } = await serve(era);
      await using plain = await connect(create(), { era });
      await using shown = await connect(create(), { era, capabilities: APPS });
      const [without, withViews] = [await callAll(plain, calls), await callAll(shown, calls)];
      for (const [index, result] of withViews.entries()) {
        expect(result).not.toHaveProperty('isError', true);
        expect(result).toHaveProperty('_meta.view.tools');
        const { view: _view, ...meta } = result['_meta'] as Record<string, unknown>;
        const rest = { ...result, _meta: meta };
        const expected = without[index] ?? {};
        expect(normalize(rest)).toEqual(normalize({ ...expected, _meta: expected['_meta'] ?? {} }));
      }
      expect(JSON.stringify(without)).not.toContain('"view":');
    },
  );

  it.each(Object.entries(SERVERS))('gets the same definitions for %s, without views', async (_, serve) => {
    const { create } = await serve(era);
    await using plain = await connect(create(), { era });
    await using shown = await connect(create(), { era, capabilities: APPS });
    const { tools } = await plain.client.listTools();
    expect(JSON.stringify(tools)).not.toMatch(/ui:\/\/|"ui"/);
    const listed = (await shown.client.listTools()).tools.map(({ _meta, ...tool }) => {
      const { ui: _ui, 'ui/resourceUri': __, ...meta } = _meta ?? {};
      return { ...tool, ...(Object.keys(meta).length > 0 && { _meta: meta }) };
    });
    const offered = tools.map(({ name }) => name);
    expect(listed.filter(({ name }) => offered.includes(name))).toEqual(tools);
    const { resources } = await plain.client.listResources();
    expect(resources.filter(({ uri }) => uri.startsWith('ui:'))).toEqual([]);
    expect(plain.client.getServerCapabilities()).not.toHaveProperty('extensions');
  });
});
