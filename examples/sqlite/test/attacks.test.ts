import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rename } from 'node:fs/promises';
import path from 'node:path';

import type { Session } from '@org/mcp-testing';

import { ORDINARY } from './ordinary.js';
import { ENDLESS, Shop } from './shop.js';

/** The compiled program of the processes that read. */
const READER = new URL(import.meta.url.endsWith('.ts') ? '../dist/reader.js' : '../src/reader.js', import.meta.url).href;

let shop: Shop;

beforeAll(async () => {
  shop = await Shop.create();
});

afterAll(() => shop[Symbol.asyncDispose]());

describe('SqliteServer, attacked,', () => {
  let session: Session;

  beforeAll(async () => {
    session = await shop.connect('modern');
  });

  afterAll(() => session[Symbol.asyncDispose]());

  const attacks: readonly (readonly [attack: string, sql: string, code: string | undefined])[] = [
    ['an INSERT', "INSERT INTO customers(name) VALUES ('x')", 'READ_ONLY'],
    ['an INSERT that returns rows', "INSERT INTO customers(name) VALUES ('x') RETURNING id", 'READ_ONLY'],
    ['an INSERT after a comment', "/* SELECT */ INSERT INTO customers(name) VALUES ('x')", 'READ_ONLY'],
    ['a DELETE after WITH', 'WITH a AS (SELECT 1) DELETE FROM orders', 'READ_ONLY'],
    ['a DELETE from a part of an R-Tree', 'DELETE FROM rooms_node', 'READ_ONLY'],
    ['a DELETE from an R-Tree', 'DELETE FROM rooms', 'READ_ONLY'],
    ['EXPLAIN of a DELETE', 'EXPLAIN DELETE FROM orders', 'READ_ONLY'],
    ['a second statement', 'SELECT 1; DELETE FROM orders', 'SYNTAX'],
    ['a second statement after a comment', 'SELECT 1 /* ; */; DROP TABLE orders; --', 'SYNTAX'],
    ['a second statement that is not valid', 'SELECT 1; ) ; DROP TABLE orders', 'SYNTAX'],
    ['many semicolons', `SELECT '${';'.repeat(100_000)}'; DROP TABLE orders`, 'SYNTAX'],
    ['a variable that contains a quote', "SELECT $1('), load_extension('x')--')", 'POLICY_DENIED'],
    ['long lines of comments', `-- ${'-'.repeat(100_000)}\n/* ${'*'.repeat(100_000)} */ SELECT 1`, undefined],
    ['a pragma', 'PRAGMA query_only = 0', 'READ_ONLY'],
    ['a pragma that changes the file', 'PRAGMA journal_mode = wal', 'READ_ONLY'],
    ['a pragma that changes the file by its value', 'PRAGMA schema_version = 9', 'READ_ONLY'],
    ['a pragma as a table', 'SELECT * FROM pragma_journal_mode', 'READ_ONLY'],
    ['the path of the file', 'SELECT file FROM pragma_database_list', 'READ_ONLY'],
    ['ATTACH of another file', "ATTACH '/etc/passwd' AS x", 'READ_ONLY'],
    ['ATTACH of a new file', "ATTACH 'planted.db' AS x", 'READ_ONLY'],
    ['VACUUM INTO a file', "VACUUM INTO 'planted.db'", 'READ_ONLY'],
    ['a temporary table', 'CREATE TEMP TABLE x(a)', 'READ_ONLY'],
    ['a transaction', 'BEGIN EXCLUSIVE', 'READ_ONLY'],
    ['an extension', "SELECT load_extension('/tmp/x.so')", 'POLICY_DENIED'],
    ['an extension by a quoted name', `SELECT "Load_Extension"('/tmp/x.so')`, 'POLICY_DENIED'],
    ['an extension by a view', 'SELECT * FROM secrets', 'POLICY_DENIED'],
    ['an extension by a virtual table', 'SELECT * FROM hidden', 'QUERY_FAILED'],
    ['reading a file', "SELECT readfile('/etc/passwd')", 'UNDEFINED_OBJECT'],
    ['writing a file', "SELECT writefile('planted.txt', 'x')", 'UNDEFINED_OBJECT'],
    ['listing a directory', "SELECT * FROM fsdir('/etc')", 'UNDEFINED_OBJECT'],
    ['a tokenizer by its address', "SELECT fts3_tokenizer('x', x'00')", 'POLICY_DENIED'],
    ['a change of the definitions of tables', "UPDATE sqlite_schema SET sql = ''", 'READ_ONLY'],
    ['a value of 100 MB', 'SELECT zeroblob(100000000)', 'TOO_LARGE'],
    ['many values of 16 MB', `SELECT ${Array.from({ length: 20 }, () => 'zeroblob(16000000)').join()}`, 'TOO_LARGE'],
    [
      'more memory than the limit',
      `SELECT ${Array.from({ length: 50 }, () => 'hex(randomblob(8000000))').join(' || ')}`,
      'TOO_LARGE',
    ],
    ['too many columns', `SELECT ${Array.from({ length: 2001 }, (_, index) => index).join()}`, 'TOO_LARGE'],
    ['an expression of great depth', `SELECT ${'('.repeat(5000)}1${')'.repeat(5000)}`, 'QUERY_FAILED'],
    ['an endless recursion', ENDLESS, 'TIMEOUT'],
    ['an endless stream of rows', ENDLESS.replace('sum(x)', 'x'), undefined],
    ['text that is not UTF-8', "SELECT cast(x'fffe' AS text)", undefined],
    ['a NUL in the statement', 'SELECT 1\0; DELETE FROM orders', 'INVALID_ARGUMENTS'],
    ['a placeholder without a value', 'SELECT ?1', 'INVALID_ARGUMENTS'],
    ['a placeholder with a name', 'SELECT :name', 'INVALID_ARGUMENTS'],
    ['a placeholder with a name among others', "SELECT ?1, 'NULL', $2", 'INVALID_ARGUMENTS'],
    ['a placeholder with a large number', 'SELECT ?300000000', 'SYNTAX'],
    ['no statement', ' -- nothing', 'SYNTAX'],
  ];

  for (const [attack, sql, code] of attacks) {
    it(`survives ${attack}`, async () => {
      const before = await readFile(shop.file);
      const files = await readdir(shop.directory);
      const { content, isError } = await session.client.callTool({
        name: 'query',
        arguments: { sql, timeout_ms: sql === ENDLESS ? 500 : 20_000 },
      });
      const text = (content[0] as { text: string }).text;
      assert.equal(isError === true ? text.split(':')[0] : undefined, code, text);
      assert.deepEqual(await readdir(shop.directory), files);
      assert.deepEqual(await readFile(shop.file), before);
      assert.match(await session.text('query', { sql: 'SELECT count(*) FROM orders' }), /\b500\b/);
      shop.run('BEGIN EXCLUSIVE; ROLLBACK');
    });
  }

  it('refuses no ordinary statement', async () => {
    const refused = [];
    for (const sql of ORDINARY) {
      const { content, isError } = await session.client.callTool({ name: 'query', arguments: { sql } });
      if (isError === true) refused.push([sql, content]);
      // Fails if the query has left a lock.
      shop.run('BEGIN EXCLUSIVE; ROLLBACK');
    }
    assert.deepEqual(refused, []);
  });

  it('does not create a missing file, and rejects a file that is no database', async () => {
    await assert.rejects(shop.connect('modern', { files: [path.join(shop.directory, 'missing.db')] }), /does not exist/);
    await using broken = await shop.connect('modern', { files: [path.join(shop.queries, 'orders.sql')], queries: undefined });
    assert.match(await broken.fails('query', { sql: 'SELECT * FROM x' }), /^CONNECTION: file is not a database/);
  });

  it('explains no statement with NUL, whose rest SQLite would ignore', async () => {
    assert.match(await session.fails('explain', { sql: 'SELECT 1;\0 DELETE FROM orders' }), /^SYNTAX: .*NUL/);
  });

  it('shortens a plan that is too long', async () => {
    const alias = 'a'.repeat(3000);
    const sql = Array.from({ length: 100 }, (_, index) => `SELECT id FROM orders AS ${alias}${index}`).join(' UNION ALL ');
    assert.ok((await session.text('explain', { sql })).length < 20_000);
  });

  it('reads the present file after another program has replaced the file', async () => {
    await using other = await Shop.create();
    await using replaced = await shop.connect('modern', { files: [other.file] });
    assert.match(await replaced.text('query', { sql: 'SELECT count(*) FROM order_lines' }), /\b500\b/);
    await using next = await Shop.create();
    next.run('DELETE FROM order_lines WHERE order_id > 10');
    await rename(next.file, other.file);
    assert.match(await replaced.text('query', { sql: 'SELECT count(*) FROM order_lines' }), /\b10\b/);
  });

  it('describes the other tables of a database with a virtual table of an unknown module', async () => {
    await using other = await Shop.create();
    other.run(`PRAGMA writable_schema = 1; INSERT INTO sqlite_schema(type, name, tbl_name, rootpage, sql)
      VALUES ('table', 'places', 'places', 0, 'CREATE VIRTUAL TABLE places USING spatial(x)')`);
    await using described = await other.connect('modern');
    assert.match(await described.text('describe', { object: 'customers' }), /email/);
    assert.match(await described.text('search_objects', { pattern: 'email', kinds: ['column'] }), /of customers/);
  });

  it('holds no lock after a result that was not read to its end', async () => {
    await session.text('query', { sql: 'SELECT a.*, hex(randomblob(100)) FROM orders a, orders b', max_rows: 10_000 });
    shop.run('BEGIN EXCLUSIVE; ROLLBACK');
  });
});

describe('the process that reads a database', () => {
  it('ends with the server, even if the server is killed while a statement runs', async () => {
    const program = `
      import { fork } from 'node:child_process';
      const stdio = ['pipe', 'ignore', 'ignore', 'ipc'];
      const reader = fork(new URL(${JSON.stringify(READER)}), [${JSON.stringify(shop.file)}], { execArgv: [], stdio });
      const run = (sql) => reader.send({ kind: 'run', sql, params: [], limit: 1 });
      run('SELECT 1');
      reader.once('message', () => {
        run(${JSON.stringify(ENDLESS)});
        console.log(reader.pid);
      });`;
    const server = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [output] = (await once(server.stdout, 'data')) as [Buffer];
    server.kill('SIGKILL');
    await once(server, 'exit');
    while (isRunning(Number(output))) await new Promise((resolve) => setTimeout(resolve, 20));
  });
});

function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch {
    return false;
  }
}
