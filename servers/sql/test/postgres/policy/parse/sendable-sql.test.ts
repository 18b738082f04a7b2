import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { isBlank, trimBlanks } from '../../../../src/rows/blank.ts';
import { parseStatement } from '../../../../src/postgres/policy/parse/parse-statement.ts';
import { parseSql } from '../../../../src/postgres/policy/parse/parser.ts';
import { SendableSql } from '../../../../src/postgres/policy/parse/sendable-sql.ts';

describe('the sent text of a statement', () => {
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
  ])('ends at the semicolon of the statement, and nowhere else: %j', async (text, sent) => {
    for (const before of ['', 'EXPLAIN (FORMAT JSON) ']) {
      const parsed = await parseStatement(text, text.startsWith('  ;') ? '' : before).catch(() => undefined);
      expect(parsed?.sql.text).toBe(sent);
    }
  });

  it.each(['select 1;', '/* é */ select $1 ; ', 'table x\u00a0;'])('has the analysed syntax tree: %j', async (text) => {
    const { statements, sql } = await parseStatement(text);
    expect(statements).toEqual(await parseSql(sql.text));
    expect(statements[0]?.bytes).toBeUndefined();
  });

  it('is the whole text if the text has several statements, which PostgreSQL rejects', async () => {
    expect(await parseStatement('select 1; select 2;')).toMatchObject({
      sql: { text: 'select 1; select 2;' },
      statements: [{}, {}],
    });
  });

  it('ends a comment before the SQL that this program appends', () => {
    expect(SendableSql.own('select 1 -- ').between('(', ')').text).toBe('(select 1 -- \n)');
  });

  it.each(['select 1\0', "select '\ud800'", "select '\udc00x'"])('is rejected if it would not arrive unchanged: %j', (text) => {
    expect(() => SendableSql.own(text)).toThrow(/NUL/);
  });
});

describe('whitespace', () => {
  it('is the whitespace of PostgreSQL', () => {
    expect(trimBlanks(' \t\n\r\f\vselect 1\u00a0 ')).toBe('select 1\u00a0');
    expect(isBlank(' \n')).toBe(true);
    expect(isBlank('\u00a0')).toBe(false);
    expect(isBlank('\ufeff')).toBe(false);
  });
});

describe('the source', () => {
  const root = fileURLToPath(new URL('../../../../src', import.meta.url));
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));

  /** Files that process no SQL, but names, comments of objects, configuration, headers of saved queries, or prompts. */
  const WITHOUT_SQL =
    /^(?:catalog\/object-name|postgres\/(?:database\/embedded\/[\w-]+|tools\/compare-schemas)|prompts\/[\w-]+|resources\/complete-names|tools\/(?:suggestions|schema\/[\w-]+)|saved-queries\/saved-text)\.ts$/;

  it('never matches or removes the whitespace of JavaScript in code that handles SQL', () => {
    const found = sources.filter(({ file, text }) => !WITHOUT_SQL.test(file) && /\\s|\.trim(?:Start|End)?\(/.test(code(text)));
    expect(found.map(({ file }) => file)).toEqual([]);
  });

  it('converts texts of callers to SendableSql only in the policy', () => {
    const makers = sources.filter(({ text }) => text.includes('SendableSql.admitted('));
    expect(makers.map(({ file }) => file).toSorted()).toEqual([
      'postgres/policy/parse/parse-statement.ts',
      'postgres/policy/policy.ts',
    ]);
  });
});

/** Returns source code without comments. */
function code(text: string): string {
  return text.replaceAll(/\/\*[^]*?\*\//g, '').replaceAll(/^ *\/\/.*$/gm, '');
}
