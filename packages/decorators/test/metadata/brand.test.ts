import { describe, expect, it, vi } from 'vitest';

import { isRequestContextClass } from '../../src/metadata/brand.ts';
import { RequestContext } from '../../src/runtime/request-context.ts';

describe('the brand of RequestContext', () => {
  it('is on the class, on a second copy of it, and on nothing else', async () => {
    vi.resetModules();
    const copy = await import('../../src/runtime/request-context.ts');
    expect(copy.RequestContext).not.toBe(RequestContext);
    expect([RequestContext, copy.RequestContext].map(isRequestContextClass)).toEqual([true, true]);
    expect([class {}, Object, undefined, {}].map(isRequestContextClass)).toEqual([false, false, false, false]);
  });
});
