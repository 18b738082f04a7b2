import { ToolError } from '@org/mcp-decorators';
import type { Session } from '@org/mcp-testing';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { urlSource } from '../../../src/postgres/database/connect/url-source.ts';
import { PostgresDatabase } from '../../../src/index.ts';
import { parseSql } from '../../../src/postgres/policy/parse/parser.ts';
import { codeOf, optionsWith, useDatabase } from '../../fixtures/postgres.ts';
import { folderOf } from '../../fixtures/query-folder.ts';
import { WireTap } from '../../fixtures/servers/wire-tap.ts';

/** Number of statements. For more and other statements, set `MCP_TEST_STATEMENTS=5000 MCP_TEST_SEED=7`. */
const STATEMENTS = Number(process.env['MCP_TEST_STATEMENTS'] ?? 60);
const SEED = Number(process.env['MCP_TEST_SEED'] ?? 1);
const TIMEOUT = 60_000 + STATEMENTS * 200;
/** Maximum number of files in a folder of saved queries. */
const FILES = 200;

const ODD = oddCharacters();

const postgres = useDatabase({
  sql: `
    create table notes (id int primary key, note text);
    create role app login password 'app'; grant select, insert, update on notes to app;`,
});
let tap: WireTap;
let database: PostgresDatabase;
let reading: Session;
let writing: Session;

beforeAll(async () => {
  tap = await WireTap.on(postgres.config());
  database = new PostgresDatabase('judge', urlSource({ url: postgres.url() }), optionsWith({}));
  reading = await postgres.connect({ url: tapped(postgres.url()), policy: 'strict' });
  const url = tapped(postgres.url()).replace(/\/\/[^@]*@/, '//app:app@');
  const confirms = { answers: { elicitation: { confirm: true } } };
  writing = await postgres.connect({ url, writable: true, policy: 'strict' }, undefined, confirms);
});
afterAll(async () => {
  for (const part of [reading, writing, database, tap]) await part?.[Symbol.asyncDispose]();
});
beforeEach(() => void tap.take());

function tapped(url: string): string {
  return `${url.replace(/@\/(\w+)\?.*$/, `@127.0.0.1:${tap.port}/$1`)}?sslmode=disable`;
}

/**
 * Returns all spaces, format characters and control characters of Unicode, and some other characters outside ASCII. NUL is
 * excluded, because the server rejects it.
 */
function oddCharacters(): readonly string[] {
  const found = ['é', 'İ', '�', '😀'];
  for (let code = 1; code <= 0x10_ffff; code += 1) {
    const isSurrogate = code >= 0xd800 && code <= 0xdfff;
    const character = isSurrogate ? '' : String.fromCodePoint(code);
    if (/^[\p{White_Space}\p{Cf}\p{Zs}\p{Cc}]$/u.test(character)) found.push(character);
  }
  return found;
}

// An odd character at the beginning of a statement can be a syntax error, so odd characters are rare in `ends` and most
// statements run.
const plain = fc.constantFrom(' ', '\n', '\t', ';');
const end = fc.oneof({ arbitrary: plain, weight: 8 }, { arbitrary: fc.constantFrom(...ODD), weight: 1 });
const ends = fc.array(end, { maxLength: 3 }).map((characters) => characters.join(''));
const names = fc
  .tuple(fc.constantFrom('pg_shadow', 'pg_sleep', 'x', 'notes'), fc.constantFrom(...ODD))
  .map((parts) => parts.join(''));

/**
 * Statements that contain the name as a name, a text or a comment. The word `marked` distinguishes these statements from
 * statements of mcp-sql.
 */
const SHAPES: readonly ((name: string) => string)[] = [
  (name) => `with "${name}" as (select 42 as a, 'marked') table ${name}`,
  (name) => `select 42 as a, 'marked' from (select 1) as t("${name}") order by t.${name}`,
  (name) => `values (42, 'marked ${name}')`,
  (name) => `select 42, 'marked' -- ${name.replaceAll(/[\n\r]/g, '')}`,
  (name) => `select 42, 'marked' /* ${name} */`,
  (name) => `select 42, $q${getLastCharacter(name)}$marked$q${getLastCharacter(name)}$ as "${name}"`,
];

function getLastCharacter(name: string): string {
  return Array.from(name).at(-1) ?? '';
}

const statements = fc
  .tuple(ends, names, fc.constantFrom(...SHAPES), ends)
  .map(([before, name, shape, after]) => before + shape(name) + after);

async function everyStatement(check: (sql: string) => Promise<void>, tried = STATEMENTS): Promise<void> {
  await fc.assert(fc.asyncProperty(statements, check), { numRuns: tried, seed: SEED });
}

/** Returns the text that the policy admits, or `undefined` if the policy rejects the statement. */
async function admittedText(sql: string, before?: string): Promise<string | undefined> {
  try {
    const { text } = await database.policy.admit({ sql, before, signal: new AbortController().signal });
    return text;
  } catch (error) {
    if (ToolError.is(error)) return undefined;
    throw error;
  }
}

/** Patterns for the SQL that mcp-sql adds before and after a statement. */
const FRAMES: readonly (readonly [RegExp, RegExp])[] = [
  [/^/, /^$/],
  [/^SELECT \* FROM \(\n/, /^\n\) q LIMIT \d+$/],
  [/^COPY \(\n/, /^\n\) TO STDOUT \(FORMAT csv, HEADER\)$/],
  [/^EXPLAIN \([A-Za-z ,]+\) /, /^$/],
  [/^explain \(format json\) /, /^$/],
  [/^PREPARE "[\da-f-]+" AS /, /^$/],
  [/^/, /^\nRETURNING \*$/],
];

/**
 * Checks that every text of a caller on the wire equals the admitted text inside one of `FRAMES`, byte for byte. Returns the
 * number of these texts.
 */
function expectOnWire(admitted: string | undefined): number {
  const sent = takeTexts();
  for (const text of sent)
    expect(isJudged(text, admitted), `${JSON.stringify(text)} was sent, ${JSON.stringify(admitted)} was admitted`).toBe(true);
  return sent.length;
}

/** Returns the texts of callers on the wire since the last call, which must be valid UTF-8. */
function takeTexts(): readonly string[] {
  const sent = tap.take().filter((text) => text.includes('marked'));
  for (const bytes of sent) expect(bytes.equals(Buffer.from(bytes.toString()))).toBe(true);
  return sent.map(String);
}

function isJudged(text: string, admitted: string | undefined): boolean {
  return FRAMES.some(([before, after]) => {
    const start = before.exec(text)?.[0].length;
    if (start === undefined || admitted === undefined || !text.startsWith(admitted, start)) return false;
    return after.test(text.slice(start + admitted.length));
  });
}

/** Checks that the admitted text is a prefix of the text of the caller, up to a semicolon, and contains exactly one statement. */
async function expectCutOnly(sql: string, admitted: string): Promise<void> {
  expect(sql.startsWith(admitted)).toBe(true);
  expect(sql.slice(admitted.length)).toMatch(/^(?:;|$)/);
  expect((await parseSql(admitted)).length).toBe(1);
}

describe('the analysed text is the sent text:', () => {
  it('the test covers characters that JavaScript trims but PostgreSQL treats as letters', () => {
    expect(ODD).toEqual(expect.arrayContaining(['\u00a0', '\ufeff', '\u2003', '\u3000', '\u200b', '\v', '\u0085']));
  });

  it.each([
    ['query', { max_rows: 10 }],
    ['query', { keep: true }],
    ['export', { format: 'csv' }],
    ['export', { format: 'ndjson' }],
  ])('for %s with %j, with any characters at the ends and in names', { timeout: TIMEOUT }, async (tool, given) => {
    let sent = 0;
    await everyStatement(async (sql) => {
      const code = await codeOf(reading, tool, { sql, ...given });
      const admitted = await admittedText(sql);
      expect(['runs', 'SYNTAX', 'POLICY_DENIED', 'UNDEFINED_OBJECT', 'READ_ONLY']).toContain(code);
      const count = expectOnWire(admitted);
      expect(count > 0).toBe(admitted !== undefined);
      if (admitted !== undefined) await expectCutOnly(sql, admitted);
      sent += count;
    });
    expect(sent).toBeGreaterThan(STATEMENTS / 4);
  });

  it.each([
    [{}, 'EXPLAIN (FORMAT JSON) '],
    [{ analyze: true }, 'EXPLAIN (FORMAT JSON, ANALYZE, BUFFERS false) '],
    [{ generic_plan: true }, 'EXPLAIN (FORMAT JSON) '],
  ])('for explain with %j', { timeout: TIMEOUT }, async (given, before) => {
    let sent = 0;
    await everyStatement(async (sql) => {
      await codeOf(reading, 'explain', { sql, ...given });
      sent += expectOnWire(await admittedText(sql, before));
    });
    expect(sent).toBeGreaterThan(STATEMENTS / 4);
  });

  it('for saved queries', { timeout: TIMEOUT }, async () => {
    const texts = fc.sample(statements, { numRuns: Math.min(STATEMENTS, FILES), seed: SEED });
    // Files of saved queries are read with normalized line breaks.
    const sqls = texts.map((text) => text.replaceAll('\r\n', '\n'));
    const files = sqls.map((sql, index) => [`q${index}.sql`, `---\ndescription: One\n---\n${sql}`] as const);
    const queries = await folderOf(Object.fromEntries(files));
    await using session = await postgres.connect({ url: tapped(postgres.url()), policy: 'strict', queries });
    const admitted = await Promise.all(sqls.map((sql) => admittedText(sql)));
    const offered = (await session.toolNames()).filter((name) => /^q\d+$/.test(name));
    expect(offered.length).toBeGreaterThan(sqls.length / 4);
    for (const text of takeTexts()) expect(admitted).toContain(text);
    for (const name of offered) {
      await session.call(name, {});
      // An event of the file watcher may cause files to be described again, each with its own text.
      const sent = takeTexts();
      const own = sent.filter((text) => isJudged(text, admitted[Number(name.slice(1))]));
      expect(own.length).toBeGreaterThan(0);
      for (const text of sent.filter((each) => !own.includes(each))) expect(admitted).toContain(text);
    }
  });

  it('for execute, which parses every text itself', { timeout: TIMEOUT }, async () => {
    const writes = fc
      .tuple(ends, fc.constantFrom(...ODD), ends)
      .map(
        ([before, character, after]) =>
          `${before}with "n${character}" as (select 'marked${character}' as v) update notes set note = v from n${character}${after}`,
      );
    let sent = 0;
    const check = async (sql: string): Promise<void> => {
      const code = await codeOf(writing, 'execute', { sql });
      const texts = takeTexts();
      for (const text of texts) {
        const whole = text.replace(/\nRETURNING (?:\*|WITH \(OLD AS .+\) .+)$/, '');
        expect(sql.startsWith(whole)).toBe(true);
        await expectCutOnly(sql, whole);
      }
      expect(texts.length > 0).toBe(code === 'runs' || code === 'UNDEFINED_OBJECT');
      sent += texts.length;
    };
    await fc.assert(fc.asyncProperty(writes, check), { numRuns: STATEMENTS, seed: SEED });
    expect(sent).toBeGreaterThan(0);
  });
});

describe('the encoding of sent texts', () => {
  it.each([
    ['the role', ''],
    ['the URL', '&options=-c%20client_encoding%3DSJIS'],
  ])('is UTF-8, although %s says otherwise', async (_, parameters) => {
    await postgres.asSuperuser("alter role mcp_ro set client_encoding = 'SJIS'");
    await using session = await postgres.connect({ url: postgres.url() + parameters, policy: 'strict' });
    const sql = `select 'é\u00a0' || current_setting('client_encoding') as "é\u00a0"`;
    expect(await session.text('query', { sql, format: 'tsv' })).toContain('é\u00a0\né\u00a0UTF8\n');
    await postgres.asSuperuser('alter role mcp_ro reset client_encoding');
  });
});

describe('a name that ends with a character that JavaScript treats as a space', () => {
  const SPACES = ['\u00a0', '\ufeff', '\u2003', '\u3000', '\u2028'];

  it.each(SPACES)('is the same name for the policy and for PostgreSQL: %j', async (space) => {
    await using session = await postgres.connect({ url: postgres.url('superuser'), allowPrivilegedRole: true, policy: 'strict' });
    const sql = `with "pg_shadow${space}" as (select 42 as a) table pg_shadow${space}`;
    for (const given of [{ sql }, { sql, keep: true }, { sql: `${sql};` }]) {
      const text = await session.text('query', { ...given, format: 'tsv' });
      expect(text).toMatch(/^42$/m);
      expect(text).not.toContain('SCRAM');
    }
    const { structuredContent } = await session.call('export', { sql });
    const { contents } = await session.client.readResource({ uri: (structuredContent as { readonly uri: string }).uri });
    expect(contents).toMatchObject([{ text: 'a\n42\n' }]);
  });

  it.each(SPACES)('calls no function by attribute notation: %j', async (space) => {
    const sql = `select 1 from unnest(array['select to_tsvector(pg_sleep(600)::text||''x'')']) as t("ts_stat${space}") order by t.ts_stat${space}`;
    expect(await codeOf(reading, 'query', { sql, timeout_ms: 20_000 })).toBe('runs');
    const signal = `select 1 from (select -1) as t("pg_terminate_backend${space}") order by t.pg_terminate_backend${space}`;
    expect(await codeOf(reading, 'query', { sql: signal })).toBe('runs');
    expect(await codeOf(reading, 'query', { sql: signal.replaceAll(space, '') })).toBe('POLICY_DENIED');
  });
});
