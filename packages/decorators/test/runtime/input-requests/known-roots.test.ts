import { describe, expect, it } from 'vitest';

import { KnownRoots } from '../../../src/runtime/input-requests/client-roots.ts';

const ROOTS = [{ uri: 'file:///a' }];

describe('the roots of a session', () => {
  it('are remembered if the client announces changes', () => {
    let now = 0;
    const known = new KnownRoots(() => now);
    known.keep(ROOTS, true);
    now = 1e12;
    expect(known.roots).toBe(ROOTS);
  });

  it('are remembered for 5 seconds if the client does not announce changes', () => {
    let now = 1000;
    const known = new KnownRoots(() => now);
    known.keep(ROOTS, false);
    now = 5999;
    expect(known.roots).toBe(ROOTS);
    now = 6000;
    expect(known.roots).toBeUndefined();
  });
});
