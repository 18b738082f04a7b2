import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { View } from '@org/mcp-testing/views';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { openFiles } from './fs/open-files.ts';
import { openGit } from './git/open-git.ts';
import { HAS_PSQL, openSql, startPostgres, type StartedPostgres } from './sql/postgres.ts';
import { expectHarmless } from './support/harmless.ts';
import { asNames, HOSTILE_TEXTS } from './support/hostile-texts.ts';
import { closeBrowser, HAS_CHROMIUM, show } from './support/shown.ts';

afterAll(closeBrowser);

type Button = ReturnType<View['frame']['getByRole']>;

const NAMES = asNames(HOSTILE_TEXTS);
const LINES = HOSTILE_TEXTS.map((text) => `${text}\n`);

/** Clicks the button that reads the next page, until the last page. */
async function readAll(more: Button): Promise<void> {
  while ((await more.count()) > 0) {
    const text = (): Promise<string | null> =>
      more.page().frames().at(-1)?.locator('main').textContent() ?? Promise.resolve(null);
    const shown = await text();
    await more.click();
    await expect.poll(text).not.toBe(shown);
    // While a page is read, the button is disabled.
    await expect.poll(async () => (await more.count()) === 0 || (await more.isEnabled())).toBe(true);
  }
}

it('there are 500 hostile texts', () => {
  expect(new Set(HOSTILE_TEXTS).size).toBe(500);
});

describe.skipIf(!HAS_CHROMIUM)('500 hostile texts in a view of files', () => {
  it('as the lines and the name of a changed file', async () => {
    const { session, root } = await openFiles('modern');
    const file = path.join(root, NAMES[1] ?? '');
    await writeFile(file, LINES.map((line) => `old ${line}`).join(''));
    const text = await readFile(file, 'utf8');
    await using view = await show(session, 'edit_file', {
      path: file,
      edits: [{ oldText: text, newText: LINES.join('') }],
    });
    await view.frame.locator('tr.added').nth(499).waitFor();
    await expectHarmless(view);
    await view.frame.getByRole('button', { name: /^Refuse hunk/ }).click();
    await view.frame.getByText(/^Refused hunk/).waitFor();
    await expectHarmless(view);
    await using planned = await show(session, 'edit_file', {
      path: file,
      edits: [{ oldText: text, newText: LINES.join('') }],
      dryRun: true,
    });
    await planned.frame.getByText('Planned changes').waitFor();
    await expectHarmless(planned);
  });

  it('as the names and the contents of the files of a tree', async () => {
    const { session, root } = await openFiles('modern');
    for (const [index, name] of NAMES.entries()) await writeFile(path.join(root, name), LINES[index] ?? '');
    await using view = await show(session, 'list_directory', { path: root });
    await expect.poll(() => view.frame.getByRole('treeitem').count()).toBeGreaterThanOrEqual(100);
    await readAll(view.frame.getByRole('button', { name: /^Show more/ }));
    expect(await view.frame.getByRole('treeitem').count()).toBe(500);
    await view.frame.getByRole('treeitem').nth(17).locator('.entry').click();
    await view.frame.getByRole('region', { name: /^Text of/ }).waitFor();
    await expectHarmless(view);
  });

  it('as the paths of changes and the names of checkpoints', async () => {
    const { session, root } = await openFiles('modern', { tools: ['all'] });
    await mkdir(path.join(root, 'd'));
    for (let index = 0; index < NAMES.length; index += 20) {
      for (const name of NAMES.slice(index, index + 20)) await writeFile(path.join(root, 'd', name), 'target\n');
      await session.call('replace_in_files', { path: path.join(root, 'd'), pattern: 'target', replacement: 'done' });
      await session.call('checkpoint', { name: (HOSTILE_TEXTS[index] ?? '').slice(0, 100) });
    }
    await using view = await show(session, 'list_changes');
    await view.frame
      .getByRole('button', { name: /^Undo replace_in_files/ })
      .first()
      .waitFor();
    await readAll(view.frame.getByRole('button', { name: 'Show earlier changes' }));
    expect(await view.frame.getByRole('button', { name: /^Undo replace_in_files/ }).count()).toBe(25);
    await view.frame
      .getByRole('button', { name: /^Rewind to before/ })
      .nth(8)
      .click();
    await view.frame.getByText(/^Would take back/).waitFor();
    await expectHarmless(view);
  });
});

describe.skipIf(!HAS_CHROMIUM)('500 hostile texts in a view of a repository', () => {
  it('as changed files and their lines', async () => {
    const { session, git, write } = await openGit('modern', { tools: ['all'] });
    await write('lines.txt', 'old\n');
    git('add', '.');
    git('commit', '--message=first');
    await write('lines.txt', LINES.join(''));
    for (const name of NAMES) await write(name, 'text\n');
    await using view = await show(session, 'git_status');
    await view.frame.getByRole('button', { name: 'Show lines.txt' }).click();
    await view.frame.locator('tr.added').nth(499).waitFor();
    expect(await view.frame.locator('section.card').count()).toBe(501);
    await expectHarmless(view);
    await using loss = await show(session, 'git_clean', { dry_run: true });
    await expect.poll(() => loss.frame.locator('li').count()).toBe(500);
    await expectHarmless(loss);
  });

  it('as the lines of a diff', async () => {
    const { session, git, write } = await openGit('modern');
    for (let file = 0; file < 10; file += 1) await write(`lines-${file}.txt`, LINES.slice(file * 50, file * 50 + 50).join(''));
    git('add', '.');
    await using view = await show(session, 'git_diff_staged');
    await view.frame.locator('tr.added').first().waitFor();
    await readAll(view.frame.getByRole('button', { name: 'Show more of the difference' }));
    expect(await view.frame.locator('tr.added').count()).toBe(500);
    await expectHarmless(view);
  });

  it('as the subjects and authors of commits, and as names of branches', async () => {
    const { session, git, root } = await openGit('modern');
    const clean = (text: string): string => text.replaceAll(/[<>\n\r\0]/g, '');
    const commits = HOSTILE_TEXTS.map((text, index) => {
      const message = Buffer.byteLength(text);
      return `commit refs/heads/main\nauthor ${clean(text) || 'x'} <a@example.com> ${1_700_000_000 + index} +0000\ncommitter x <x@example.com> ${1_700_000_000 + index} +0000\ndata ${message}\n${text}\n`;
    });
    execFileSync('git', ['fast-import', '--quiet'], { cwd: root, input: commits.join('') });
    for (const name of ['<script>window.hit=1<∕script>', '"onfocus="window.hit=1', 'שלום'])
      git('branch', name.replaceAll(/[ ~^:?*[\\]/g, '-'), 'main');
    await using view = await show(session, 'git_log');
    await view.frame.locator('button.commit').first().waitFor();
    await readAll(view.frame.getByRole('button', { name: 'Show earlier commits' }));
    expect(await view.frame.locator('ol.commits > li').count()).toBe(500);
    await view.frame.locator('button.commit').nth(3).click();
    await view.frame.getByText(/^commit [0-9a-f]{40}/).waitFor();
    await expectHarmless(view);
  });

  it('as the sides of a conflict', async () => {
    const { session, git, write } = await openGit('modern');
    const name = NAMES[2] ?? '';
    await write(name, 'base\n');
    git('add', '.');
    git('commit', '--message=first');
    git('switch', '--create', 'topic');
    await write(name, LINES.join(''));
    git('commit', '--all', '--message=topic');
    git('switch', 'main');
    await write(name, LINES.toReversed().join(''));
    git('commit', '--all', '--message=main');
    expect(() => git('merge', 'topic')).toThrow();
    await using view = await show(session, 'git_conflicts');
    await view.frame.getByText('1 file in conflict').waitFor();
    await view.frame
      .getByRole('button', { name: /^Use theirs/ })
      .first()
      .waitFor();
    await expectHarmless(view);
  });
});

describe.skipIf(!HAS_CHROMIUM || !HAS_PSQL)('500 hostile texts in a view of a database', () => {
  let postgres: StartedPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
    postgres.psql('create table texts (id int primary key, value text)');
  });
  afterAll(async () => postgres[Symbol.asyncDispose]());

  const quoteName = (text: string): string => `"${text.slice(0, 30).replaceAll('"', '""')}"`;

  it('as values and names of columns', async () => {
    const session = await openSql(postgres.url, 'modern');
    const sql = `select value as ${quoteName(HOSTILE_TEXTS[1] ?? '')}, 1 as ${quoteName('<b onclick=window.hit=1>')} from json_array_elements_text($1::json) as t(value)`;
    await using view = await show(session, 'query', { sql, params: [HOSTILE_TEXTS], max_rows: 500, keep: true });
    await readAll(view.frame.getByRole('button', { name: 'Read more rows' }));
    await readAll(view.frame.getByRole('button', { name: /^Draw more/ }));
    expect(await view.frame.locator('tbody tr').count()).toBe(500);
    await view.frame.getByRole('button', { name: 'Plot' }).click();
    await view.frame.getByRole('img').waitFor();
    await expectHarmless(view);
  });

  it('in a plan and in a statement', async () => {
    const session = await openSql(postgres.url, 'modern', { writable: true });
    const texts = HOSTILE_TEXTS.map((text) => `'${text.replaceAll("'", "''")}'`);
    {
      const sql = `select * from texts as ${quoteName('<img src=x onerror=window.hit=1>')} where value in (${texts.join(', ')})`;
      await using view = await show(session, 'explain', { sql });
      await view.frame.getByText('Details').first().click();
      await expectHarmless(view);
    }
    const values = texts.map((text, index) => `(${index}, ${text})`);
    const sql = `insert into texts values ${values.join(', ')}`;
    await using view = await show(session, 'execute', { sql, dry_run: true });
    await view.frame.getByRole('heading', { name: /^500 rows/ }).waitFor();
    await expectHarmless(view);
  });

  it('as names and comments of tables and columns', async () => {
    const session = await openSql(postgres.url, 'modern');
    const tables = Array.from({ length: 50 }, (_, table) => {
      const columns = HOSTILE_TEXTS.slice(table * 10, table * 10 + 10).map(
        (text, index) => `${quoteName(`${index}${text}`)} int`,
      );
      const name = `hostile.${quoteName(`${table}${HOSTILE_TEXTS[table * 10] ?? ''}`)}`;
      const comment = HOSTILE_TEXTS.slice(table * 10, table * 10 + 10)
        .join(' ')
        .replaceAll("'", "''");
      return `create table ${name} (${columns.join(', ')}); comment on table ${name} is '${comment}';`;
    });
    postgres.psql(`create schema hostile; ${tables.join('\n')}`);
    await using view = await show(session, 'er_diagram', { schema: 'hostile', columns: 'all' });
    await view.frame.getByRole('heading', { name: /^\d+ tables/ }).waitFor();
    await view.frame.evaluate('document.querySelectorAll("details").forEach((each) => { each.open = true; })');
    await expectHarmless(view);
  });

  it('as the statements and the applications of sessions', async () => {
    const session = await openSql(postgres.url, 'modern', { maxBytes: 1_000_000 });
    const host = new URLSearchParams(postgres.url.split('?')[1]).get('host') ?? '';
    const chunks = chunkTexts(HOSTILE_TEXTS, 400);
    for (const [index, chunk] of chunks.entries()) {
      const env = { ...process.env, PGAPPNAME: (HOSTILE_TEXTS[index * 10] ?? '').slice(0, 60) };
      const program = spawn('psql', ['-h', host, '-U', 'postgres', '-Xq'], { env, stdio: ['pipe', 'ignore', 'ignore'] });
      program.stdin.write(`select '${chunk.replaceAll("'", "''")}';\n`);
      onTestFinished(async () => {
        program.stdin.end();
        if (program.exitCode === null) await once(program, 'close');
      });
    }
    const count = "select count(*) from pg_stat_activity where state = 'idle' and query like 'select ''%'";
    await expect.poll(() => postgres.psql(count)).toBe(String(chunks.length));
    await using view = await show(session, 'activity', { limit: 1000 });
    await expect.poll(() => view.frame.locator('tbody tr').count()).toBe(chunks.length);
    await expectHarmless(view);
  });
});

/** Joins texts to chunks with a maximum length in characters, because the activity shows only the beginning of a statement. */
function chunkTexts(texts: readonly string[], maxLength: number): readonly string[] {
  const chunks: string[] = [];
  for (const text of texts) {
    const last = chunks.at(-1);
    if (last === undefined || last.length + text.length > maxLength) chunks.push(text);
    else chunks[chunks.length - 1] = `${last} ${text}`;
  }
  return chunks;
}
