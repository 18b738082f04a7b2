import { describe, expect, it } from 'vitest';

import { Control } from '../../src/database/control.ts';
import { urlSource } from '../../src/database/source.ts';
import { SendableSql } from '../../src/policy/sendable-sql.ts';
import { useDatabase } from '../postgres.ts';

const database = useDatabase({ sql: 'alter role mcp_ro set standard_conforming_strings = off' });

describe('the control connection', () => {
  it('reads strings as the policy reads them, whatever the role has set', async () => {
    await using control = new Control(urlSource({ url: database.url() }));
    expect(await control.row(SendableSql.judged("select 'a\\', 'b'"), [])).toEqual(['a\\', 'b']);
  });
});
