import { ToolError, type RequestContext } from '@org/mcp-decorators';
import { describe, expect, it } from 'vitest';

import type { CatalogNames } from '../../src/index.ts';
import { withSuggestions } from '../../src/tools/suggestions.ts';

const CONTEXT = { signal: new AbortController().signal } as RequestContext;

describe('the error of a statement that names an unknown object', () => {
  it.each<[what: string, names: () => Promise<CatalogNames>]>([
    ['is not reachable', () => Promise.reject(new Error('no connection'))],
    [
      'is disposed of',
      () => {
        throw new Error('disposed');
      },
    ],
    ['returns incomplete names', () => Promise.resolve({ schemas: [] } as unknown as CatalogNames)],
  ])('reaches the caller if the catalog %s', async (_, names) => {
    const error = new ToolError('UNDEFINED_OBJECT', 'relation "ownrs" does not exist');
    await expect(withSuggestions({ names }, CONTEXT, () => Promise.reject(error))).rejects.toBe(error);
  });
});
