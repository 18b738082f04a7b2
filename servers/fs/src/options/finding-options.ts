import { Field } from '@org/mcp-decorators';
import { IsBoolean, IsIn, IsInt, Max, Min } from 'class-validator';

import { ReadingOptions } from './reading-options.ts';

const GITIGNORE = ['search', 'all', 'off'] as const;

/** Options of how directories are listed and searched, and what that may cost. */
export class FindingOptions extends ReadingOptions {
  @Field(
    'Where .gitignore files apply unless a call says otherwise: searches and trees (search), lists too (all), or nowhere (off)',
    {
      title: 'WHERE',
    },
  )
  @IsIn([...GITIGNORE])
  gitignore: 'search' | 'all' | 'off' = 'search';

  @Field('Names that begin with a dot are listed and searched unless a call says otherwise')
  @IsBoolean()
  hidden = true;

  @Field('Most entries that one list or tree returns', { title: 'N' })
  @IsInt()
  @Min(1)
  @Max(200_000)
  maxEntries = 2000;

  @Field('Most matches that one search returns', { title: 'N' })
  @IsInt()
  @Min(1)
  @Max(50_000)
  maxMatches = 1000;

  @Field('Most entries that one list or search looks at', { title: 'N' })
  @IsInt()
  @Min(1)
  @Max(10_000_000)
  maxScanned = 1_000_000;

  @Field('Longest that one list or search may take', { title: 'MS' })
  @IsInt()
  @Min(100)
  @Max(600_000)
  maxSearchMs = 10_000;
}
