import { userInfo } from 'node:os';

import { UsageError } from '@org/mcp-host';
import { describe, expect, it } from 'vitest';

import { readConnectionUrl } from '../../src/database/connection-url.ts';

const PG = { PGHOST: 'there', PGPORT: '6000', PGUSER: 'me', PGDATABASE: 'it', PGPASSWORD: 'hunter2', PGSSLMODE: 'verify-full' };

describe('a connection URL', () => {
  it.each([
    ['of all parts', 'postgres://u:p%40%3A@h:1/d', {}, { host: 'h', port: 1, user: 'u', password: 'p@:', database: 'd' }],
    ['of the other scheme', 'postgresql://u@h/d', {}, { host: 'h', port: 5432, user: 'u', password: undefined, database: 'd' }],
    ['with an address', 'postgres://u@[::1]:2/d', {}, { host: '::1', port: 2 }],
    ['with a socket', 'postgres://u:p@/d?host=/run/pg&port=3', {}, { host: '/run/pg', port: 3, user: 'u', password: 'p' }],
    ['with a socket as host', 'postgres://u@%2Frun%2Fpg/d', {}, { host: '/run/pg', database: 'd' }],
    ['without a database', 'postgres://u@h', {}, { database: 'u' }],
    ['without a user', 'postgres://h', {}, { user: userInfo().username, database: userInfo().username }],
    ['of nothing', 'postgres://', PG, { host: 'there', port: 6000, user: 'me', database: 'it', password: undefined }],
    ['over the variables', 'postgres://u@h:1/d', PG, { host: 'h', port: 1, user: 'u', database: 'd' }],
    ['in part over the variables', 'postgres://u@/d', PG, { host: 'there', port: 6000, user: 'u', database: 'd' }],
    ['with parameters for parts', 'postgres://?user=u&dbname=d&host=h&password=p', PG, { host: 'h', user: 'u', password: 'p' }],
    [
      'over a mode of the variables',
      'postgres://h?sslmode=disable',
      PG,
      { parameters: expect.objectContaining({ sslmode: 'disable' }) },
    ],
    ['without a mode', 'postgres://h', PG, { parameters: expect.objectContaining({ sslmode: 'verify-full' }) }],
  ])('%s is read as libpq reads it', (_, url, variables, target) => {
    expect(readConnectionUrl(url, variables)).toMatchObject(target);
  });

  it.each([
    ['that is none', 'hunter2'],
    ['of another scheme', 'mysql://u:hunter2@h/d'],
    ['whose host cannot be read', 'postgres://u:hunter2@[/d'],
    ['whose port is none', 'postgres://u:hunter2@h/d?port=x'],
    ['whose password is not encoded', 'postgres://u:hunter2%zz@h/d'],
    ['with a parameter that is not understood', 'postgres://u:hunter2@h/d?target_session_attrs=any'],
    ['with a space', 'postgres://u:hunter2@h h/d'],
  ])('%s is refused, without its password', (_, url) => {
    expect(() => readConnectionUrl(url, {})).toThrow(UsageError);
    expect(() => readConnectionUrl(url, {})).not.toThrow(/hunter2/);
  });
});
