import { surface } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { FilesystemServer } from '../src/index.ts';

describe('the surface of the filesystem server', () => {
  it('changes only on purpose', () => {
    expect(surface(FilesystemServer)).toMatchSnapshot();
  });

  it('fits into 20,000 bytes of manifest', () => {
    expect(surface(FilesystemServer).manifestBytes).toBeLessThan(20_000);
  });
});
