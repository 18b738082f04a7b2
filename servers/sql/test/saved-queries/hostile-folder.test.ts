import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { connect, runProgram } from '@org/mcp-testing';
import { describe, expect, it, onTestFinished } from 'vitest';

import { PostgresServer } from '../../src/index.ts';
import { optionsWith, useDatabase } from '../fixtures/postgres.ts';
import { startRefusingProxy } from '../fixtures/servers/refusing-proxy.ts';
import { folderOf, ONE } from '../fixtures/query-folder.ts';

const database = useDatabase({ sql: 'create table people (id int)' });

const HIDDEN = '\u202E\u200B\u2066\u{E0041}\u001B[2J\u0085';
/** Characters that are invisible to users, but not to models. */
const SEEN_BY_NOBODY = /(?![\n\t])\p{Cc}|[\u202A-\u202E\u200B\u2066-\u2069]|[\u{E0000}-\u{E007F}]/u;

const BIN = fileURLToPath(new URL('../../bin/mcp-sql.js', import.meta.url));

interface Attack {
  readonly attack: string;
  /** Creates the entries of the folder in addition to `fine.sql`. */
  readonly make: (folder: string) => unknown;
  /** Expected message. */
  readonly expected: RegExp;
  /** Name of the tool that the server creates from the attack nevertheless. */
  readonly harmless?: string;
  readonly skipped?: string | false;
}

const file =
  (name: string, text: string) =>
  (folder: string): Promise<void> =>
    writeFile(path.join(folder, name), text);

const IS_WINDOWS = process.platform === 'win32' && 'Windows has none';

const ATTACKS: readonly Attack[] = [
  {
    attack: 'a link out of the folder',
    make: async (folder) => symlink(path.join(await folderOf({ 'x.sql': ONE }), 'x.sql'), path.join(folder, 'x.sql')),
    expected: /query x\.sql: .*links are not followed/,
  },
  {
    attack: 'a link to a directory of queries',
    make: async (folder) => symlink(await folderOf({ 'secret.sql': ONE }), path.join(folder, 'x.sql')),
    expected: /query x\.sql: .*links are not followed/,
  },
  {
    attack: 'a link to itself',
    make: (folder) => symlink('x.sql', path.join(folder, 'x.sql')),
    expected: /query x\.sql: .*links are not followed/,
  },
  {
    attack: 'a device without an end',
    make: (folder) => symlink('/dev/zero', path.join(folder, 'x.sql')),
    expected: /query x\.sql: .*links are not followed/,
  },
  {
    attack: 'a pipe without a writer',
    make: (folder) => execFileSync('mkfifo', [path.join(folder, 'x.sql')]),
    expected: /query x\.sql: .*not a regular file/,
    skipped: IS_WINDOWS,
  },
  {
    attack: 'a socket',
    make: async (folder) => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(path.join(folder, 'x.sql'), resolve));
      onTestFinished(() => void server.close());
    },
    expected: /query x\.sql: .*not a regular file/,
    skipped: IS_WINDOWS,
  },
  {
    attack: 'a directory',
    make: (folder) => mkdir(path.join(folder, 'x.sql')),
    expected: /query x\.sql: .*the path is a directory/,
  },
  {
    attack: 'a file of 1 GB',
    make: async (folder) => {
      await file('x.sql', ONE)(folder);
      await truncate(path.join(folder, 'x.sql'), 1_000_000_000);
    },
    expected: /query x\.sql: .*longer than 65536 bytes/,
  },
  {
    attack: '10,000 files',
    make: async (folder) => {
      for (let n = 0; n < 10_000; n += 500)
        await Promise.all(
          Array.from({ length: 500 }, (_, each) => file(`x${String(n + each).padStart(5, '0')}.sql`, ONE)(folder)),
        );
    },
    expected: /more than 200 files, 10001 in all/,
    harmless: 'x00000',
  },
  {
    attack: 'a name with hidden characters',
    make: file(`x${HIDDEN}.sql`, ONE),
    expected: /query x\\u\{202e\}.*is not a valid name/,
  },
  {
    attack: 'a name of two lines',
    make: file('x\nquery y.sql: ok.sql', ONE),
    expected: /query x\\nquery y\.sql: ok\.sql: .*is not a valid name/,
    skipped: IS_WINDOWS,
  },
  {
    attack: 'hidden characters in the name in its header',
    make: file('x.sql', `---\nname: x${HIDDEN}\ndescription: x\n---\nselect 1`),
    expected: /"x\\u\{202e\}.*is not a valid name/,
  },
  { attack: 'the name of a tool', make: file('execute.sql', ONE), expected: /a tool or a set of tools has the name "execute"/ },
  { attack: 'the name of a tool in capitals', make: file('QUERY.sql', ONE), expected: /"QUERY" is not a valid name/ },
  {
    attack: 'hidden characters in its descriptions',
    make: file('x.sql', `---\ndescription: one${HIDDEN}\nparams:\n  a: two${HIDDEN}\n---\nselect $1::int -- ${HIDDEN}`),
    expected: /query x\.sql: the tool x/,
    harmless: 'x',
  },
  {
    attack: 'hidden characters in an invalid file',
    make: file('x.sql', `---\ndescription: one\n---\nselect ${HIDDEN}`),
    expected: /query x\.sql: .*SYNTAX|query x\.sql: .*INVALID/,
  },
  {
    attack: 'aliases that grow',
    make: file('x.sql', '---\na: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\ndescription: *c\n---\nselect 1'),
    expected: /"a" is not a known key/,
  },
  {
    attack: 'an alias for its description',
    make: file('x.sql', '---\ndescription: *x\n---\nselect 1'),
    expected: /query x\.sql: the tool x/,
    harmless: 'x',
  },
  {
    attack: 'thousands of parameters',
    make: file(
      'x.sql',
      `---\ndescription: x\nparams:\n${Array.from({ length: 9000 }, (_, n) => ` p${n.toString(36)}:`).join('\n')}\n---\n1`,
    ),
    expected: /more than 50 parameters/,
  },
  {
    attack: 'two statements',
    make: file('x.sql', '---\ndescription: x\n---\nselect 1; delete from people'),
    expected: /SYNTAX|POLICY_DENIED/,
  },
  { attack: 'a write', make: file('x.sql', '---\ndescription: x\n---\ndelete from people'), expected: /READ_ONLY/ },
  {
    attack: 'a write in a common table expression',
    make: file('x.sql', '---\ndescription: x\n---\nwith d as (delete from people returning id) select * from d'),
    expected: /READ_ONLY|POLICY_DENIED/,
  },
];

describe('a hostile folder of queries', () => {
  it.for(ATTACKS)('has no tool for $attack, and reports the reason', { timeout: 60_000 }, async (row, { skip }) => {
    const { make, expected, harmless, skipped = false } = row;
    skip(skipped !== false, skipped === false ? '' : skipped);
    const folder = await folderOf({ 'fine.sql': ONE });
    await make(folder);
    const server = new PostgresServer(optionsWith({ url: database.url(), queries: folder }));
    await using session = await connect(server);
    const { tools } = await session.client.listTools();
    expect(await session.text('fine')).toContain('one');
    const details = (await server.diagnose()).map(({ subject, detail }) => `${subject}: ${detail}`);
    expect(
      details.find((detail) => expected.test(detail)),
      details.slice(0, 5).join('\n'),
    ).toBeDefined();
    const names = tools.map(({ name }) => name);
    expect(names.filter((name) => /^(x|secret|QUERY)/.test(name)).slice(0, 1)).toEqual(harmless === undefined ? [] : [harmless]);
    const { resources } = await session.client.listResources();
    const saved = resources.filter(({ uri }) => uri.startsWith('pgquery:'));
    const contents = await Promise.all(saved.slice(0, 5).map(({ uri }) => session.client.readResource({ uri })));
    for (const shown of [tools, saved.map(({ name, description }) => [name, description]), contents, details])
      expect(JSON.parse(JSON.stringify(shown)), 'nothing is hidden').toSatisfy(isVisible);
  });
});

/** Command with which root runs a program without the capability to bypass file permissions. Empty for other users. */
const BOUND = process.geteuid?.() === 0 ? ['setpriv', '--bounding-set', '-dac_override,-dac_read_search'] : [];

describe.skipIf(spawnSync('env', [...BOUND, 'true']).status !== 0)(
  'for users without root privileges (tests that root runs need setpriv, on Linux)',
  () => {
    it.skipIf(IS_WINDOWS)('an unreadable file has no tool, and the reason is reported', async () => {
      const folder = await folderOf({ 'fine.sql': ONE, 'x.sql': ONE });
      await chmod(path.join(folder, 'x.sql'), 0);
      // The test connects over TCP, because the socket of the database belongs to another user.
      await using proxy = await startRefusingProxy(database.config(), {});
      const check = [process.execPath, BIN, 'check', proxy.url, '--queries', folder];
      const { stdout } = await runProgram({ command: 'env', args: [...BOUND, ...check] });
      expect(stdout).toMatch(/query fine\.sql: the tool fine/);
      expect(stdout).toMatch(/query x\.sql: .*not read/);
    });
  },
);

/** Whether all texts in a value can be seen. */
function isVisible(value: unknown): boolean {
  if (typeof value === 'string') return !SEEN_BY_NOBODY.test(value);
  return typeof value !== 'object' || value === null || Object.entries(value).flat().every(isVisible);
}
