import { describe, expect, it } from 'vitest';

import { getReadKind } from '../../../../src/postgres/database/read-kind.ts';
import { SendableSql } from '../../../../src/postgres/policy/parse/sendable-sql.ts';

describe('getReadKind', () => {
  it.each([
    ['select 1', 'wrapped'],
    ['  \n\tSELECT 1', 'wrapped'],
    ['-- a\n/* b /* c */ */ select 1', 'wrapped'],
    [';; select 1', 'wrapped'],
    ['(select 1)', 'wrapped'],
    ['values (1)', 'wrapped'],
    ['table t', 'wrapped'],
    ['with a as (select 1) select * from a', 'wrapped'],
    ['explain select 1', 'direct'],
    ['SHOW all', 'direct'],
    ['insert into t values (1)', 'parsed'],
    ['selec 1', 'parsed'],
    ['"select" 1', 'parsed'],
    ['\u00a0select 1', 'parsed'],
    ['\ufeffselect 1', 'parsed'],
    ['/* select 1', 'parsed'],
    ['-- select 1', 'parsed'],
    ['constructor', 'parsed'],
    ['', 'parsed'],
  ])('classifies %j as %s', (sql, kind) => {
    expect(getReadKind(SendableSql.own(sql))).toBe(kind);
  });
});
