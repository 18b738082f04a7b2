import { UsageError } from '@org/mcp-host';
import { describe, expect, it } from 'vitest';

import { Databases, PostgresDatabase } from '../../src/index.ts';
import { urlSource } from '../../src/postgres/database/connect/url-source.ts';
import { optionsWith } from '../fixtures/postgres.ts';

function databaseNamed(id: string): PostgresDatabase {
  const source = urlSource({ url: 'postgres://nobody@127.0.0.1:1/none', passwordFile: undefined });
  return new PostgresDatabase(id, source, optionsWith({}));
}

describe('the databases of a server', () => {
  it('must have different ids', () => {
    const databases = [databaseNamed('sales'), databaseNamed('stock'), databaseNamed('sales')] as const;
    const error = new UsageError('two databases have the id "sales": give one of the databases another id');
    expect(() => new Databases(databases)).toThrow(error);
  });
});
