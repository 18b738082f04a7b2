import { describe, expect, it } from 'vitest';

import { Control } from '../../../../src/postgres/database/connect/control.ts';
import { urlSource } from '../../../../src/postgres/database/connect/url-source.ts';
import { SendableSql } from '../../../../src/postgres/policy/parse/sendable-sql.ts';
import { useDatabase } from '../../../fixtures/postgres.ts';

const database = useDatabase({ sql: 'alter role mcp_ro set standard_conforming_strings = off' });

describe('the control connection', () => {
  it('parses strings as the policy does, even if the role turns standard_conforming_strings off', async () => {
    await using control = new Control(urlSource({ url: database.url() }));
    expect(await control.explain(SendableSql.admitted("select 'a\\', 'b'"), [])).toContain('"Plan"');
  });
});
