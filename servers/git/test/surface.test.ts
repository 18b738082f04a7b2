import { surface } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { GitServer } from '../src/index.ts';

describe('the surface of the git server', () => {
  it('changes only on purpose', () => {
    expect(surface(GitServer)).toMatchSnapshot();
  });

  it('fits into 25,000 bytes of manifest', () => {
    expect(surface(GitServer).manifestBytes).toBeLessThan(25_000);
  });
});
