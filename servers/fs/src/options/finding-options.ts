import { Flag, Integer, OneOf } from '@org/mcp-decorators';

import { ReadingOptions } from './reading-options.ts';

const GITIGNORE = ['search', 'all', 'off'] as const;

/** Options of how directories are listed and searched, and what that may cost. */
export class FindingOptions extends ReadingOptions {
  @OneOf(
    GITIGNORE,
    'Where .gitignore files apply unless a call says otherwise: searches and trees (search), lists too (all), or nowhere (off)',
    { title: 'WHERE' },
  )
  gitignore: 'search' | 'all' | 'off' = 'search';

  @Flag('Names that begin with a dot are listed and searched unless a call says otherwise') hidden = true;
  @Integer('Most entries that one list or tree returns', { min: 1, max: 200_000, title: 'N' }) maxEntries = 2000;
  @Integer('Most matches that one search returns', { min: 1, max: 50_000, title: 'N' }) maxMatches = 1000;
  @Integer('Most entries that one list or search looks at', { min: 1, max: 10_000_000, title: 'N' }) maxScanned = 1_000_000;
  @Integer('Longest that one list or search may take', { min: 100, max: 600_000, title: 'MS' }) maxSearchMs = 10_000;
}
