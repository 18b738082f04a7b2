import { userInfo } from 'node:os';

import { UsageError } from '@org/mcp-host';
import { describe, expect, it } from 'vitest';

import { readConnectionUrl } from '../../../../src/postgres/database/libpq/connection-url.ts';

const PG = { PGHOST: 'there', PGPORT: '6000', PGUSER: 'me', PGDATABASE: 'it', PGPASSWORD: 'hunter2', PGSSLMODE: 'verify-full' };

describe('a connection URL', () => {
  it.each([
    ['with all parts', 'postgres://u:p%40%3A@h:1/d', {}, { host: 'h', port: 1, user: 'u', password: 'p@:', database: 'd' }],
    [
      'with the scheme postgresql:',
      'postgresql://u@h/d',
      {},
      { host: 'h', port: 5432, user: 'u', password: undefined, database: 'd' },
    ],
    ['with an IPv6 address', 'postgres://u@[::1]:2/d', {}, { host: '::1', port: 2 }],
    ['with a socket', 'postgres://u:p@/d?host=/run/pg&port=3', {}, { host: '/run/pg', port: 3, user: 'u', password: 'p' }],
    ['with a socket as host', 'postgres://u@%2Frun%2Fpg/d', {}, { host: '/run/pg', database: 'd' }],
    ['without a database', 'postgres://u@h', {}, { database: 'u' }],
    ['without a user', 'postgres://h', {}, { user: userInfo().username, database: userInfo().username }],
    ['without any part', 'postgres://', PG, { host: 'there', port: 6000, user: 'me', database: 'it', password: undefined }],
    ['that overrides the variables', 'postgres://u@h:1/d', PG, { host: 'h', port: 1, user: 'u', database: 'd' }],
    ['that overrides some variables', 'postgres://u@/d', PG, { host: 'there', port: 6000, user: 'u', database: 'd' }],
    [
      'with query parameters instead of parts',
      'postgres://?user=u&dbname=d&host=h&password=p',
      PG,
      { host: 'h', user: 'u', password: 'p' },
    ],
    [
      'that overrides PGSSLMODE',
      'postgres://h?sslmode=disable',
      PG,
      { parameters: expect.objectContaining({ sslmode: 'disable' }) },
    ],
    ['without sslmode', 'postgres://h', PG, { parameters: expect.objectContaining({ sslmode: 'verify-full' }) }],
  ])('is parsed as libpq does: %s', (_, url, variables, target) => {
    expect(readConnectionUrl(url, variables)).toMatchObject(target);
  });

  it.each([
    ['without a scheme', 'hunter2'],
    ['with another scheme', 'mysql://u:hunter2@h/d'],
    ['with an invalid host', 'postgres://u:hunter2@[/d'],
    ['with an invalid port', 'postgres://u:hunter2@h/d?port=x'],
    ['with an unencoded password', 'postgres://u:hunter2%zz@h/d'],
    ['with an unsupported parameter', 'postgres://u:hunter2@h/d?target_session_attrs=any'],
    ['with a space', 'postgres://u:hunter2@h h/d'],
  ])('is rejected %s, and the error does not contain the password', (_, url) => {
    expect(() => readConnectionUrl(url, {})).toThrow(UsageError);
    expect(() => readConnectionUrl(url, {})).not.toThrow(/hunter2/);
  });
});
