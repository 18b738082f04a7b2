import { surface } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { PostgresServer } from '../src/index.ts';

describe('the surface of the SQL server', () => {
  it('changes only on purpose', () => {
    expect(surface(PostgresServer)).toMatchSnapshot();
  });

  it('fits into 20,000 bytes of manifest', () => {
    expect(surface(PostgresServer).manifestBytes).toBeLessThan(20_000);
  });
});
