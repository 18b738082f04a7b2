import { describe, expect, it, vi } from 'vitest';

import { isRequestContextClass } from '../../src/metadata/request-context-brand.ts';
import { RequestContext } from '../../src/runtime/context/request-context.ts';

describe('the brand of RequestContext', () => {
  it('marks only the class and its second copy', async () => {
    vi.resetModules();
    const copy = await import('../../src/runtime/context/request-context.ts');
    expect(copy.RequestContext).not.toBe(RequestContext);
    expect([RequestContext, copy.RequestContext].map(isRequestContextClass)).toEqual([true, true]);
    expect([class {}, Object, undefined, {}].map(isRequestContextClass)).toEqual([false, false, false, false]);
  });
});
