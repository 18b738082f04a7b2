import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { isBlank, withoutBlanks } from '../../src/policy/blank.ts';
import { parseStatement } from '../../src/policy/parse-statement.ts';
import { parseSql } from '../../src/policy/parser.ts';
import { SendableSql } from '../../src/policy/sendable-sql.ts';

describe('the text that is sent of a statement', () => {
  it.each([
    ['select 1', 'select 1'],
    ['select 1;', 'select 1'],
    ['select 1 ; ;\n; -- done', 'select 1 '],
    ['select 1; /* é */ -- done', 'select 1'],
    ['/* 😀é */ select $q$;$q$, \';\', ";" from x; ', '/* 😀é */ select $q$;$q$, \';\', ";" from x'],
    ['select 1 -- ;', 'select 1 -- ;'],
    ['  ;; select 1 ; ', '  ;; select 1 '],
    ['table x\u00a0', 'table x\u00a0'],
    ['table x\ufeff;\u00a0', undefined],
    ['table x😀\u2003; ', 'table x😀\u2003'],
  ])('%j ends at its semicolon, and nowhere else', async (text, sent) => {
    for (const before of ['', 'EXPLAIN (FORMAT JSON) ']) {
      const parsed = await parseStatement(text, text.startsWith('  ;') ? '' : before).catch(() => undefined);
      expect(parsed?.sql.text).toBe(sent);
    }
  });

  it.each(['select 1;', '/* é */ select $1 ; ', 'table x\u00a0;'])('is the one whose tree is judged: %j', async (text) => {
    const { statements, sql } = await parseStatement(text);
    expect(statements).toEqual(await parseSql(sql.text));
    expect(statements[0]?.bytes).toBeUndefined();
  });

  it('is all of a text that has several statements, which PostgreSQL refuses', async () => {
    expect(await parseStatement('select 1; select 2;')).toMatchObject({
      sql: { text: 'select 1; select 2;' },
      statements: [{}, {}],
    });
  });

  it('ends a comment before what this program puts behind it', () => {
    expect(SendableSql.own('select 1 -- ').between('(', ')').text).toBe('(select 1 -- \n)');
  });

  it.each(['select 1\0', "select '\ud800'", "select '\udc00x'"])('does not arrive as it is: %j', (text) => {
    expect(() => SendableSql.own(text)).toThrow(/NUL/);
  });
});

describe('blanks', () => {
  it('are those of PostgreSQL', () => {
    expect(withoutBlanks(' \t\n\r\f\vselect 1\u00a0 ')).toBe('select 1\u00a0');
    expect(isBlank(' \n')).toBe(true);
    expect(isBlank('\u00a0')).toBe(false);
    expect(isBlank('\ufeff')).toBe(false);
  });
});

describe('the source', () => {
  const root = fileURLToPath(new URL('../../src/', import.meta.url));
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));

  /** These never see SQL: names, comments of objects, configuration, the head of a saved query, words of a prompt. */
  const WITHOUT_SQL =
    /^(?:catalog\/object-name|database\/embedded\/[\w-]+|extra\/[\w-]+|prompts\/[\w-]+|results\/[\w-]+|sql-prompts|operations\/(?:suggestions|compare-schemas)|saved\/saved-text)\.ts$/;

  it('never matches or removes what JavaScript calls a space where SQL is handled', () => {
    const found = sources.filter(({ file, text }) => !WITHOUT_SQL.test(file) && /\\s|\.trim(?:Start|End)?\(/.test(code(text)));
    expect(found.map(({ file }) => file)).toEqual([]);
  });

  it('makes text of callers sendable in the policy alone', () => {
    const makers = sources.filter(({ text }) => text.includes('SendableSql.judged('));
    expect(makers.map(({ file }) => file)).toEqual(['policy/parse-statement.ts', 'policy/policy.ts']);
  });
});

/** Without comments. */
function code(text: string): string {
  return text.replaceAll(/\/\*[^]*?\*\//g, '').replaceAll(/^ *\/\/.*$/gm, '');
}
