import { Field } from '@org/mcp-decorators';
import { IsInt, Max, Min } from 'class-validator';

import { ReadingOptions } from './reading-options.ts';

/** Options of what listing and searching may cost. */
export class FindingOptions extends ReadingOptions {
  @Field('Most entries that one listing returns', { title: 'N' })
  @IsInt()
  @Min(1)
  @Max(50_000)
  maxEntries = 2000;

  @Field('Most matches that one search returns', { title: 'N' })
  @IsInt()
  @Min(1)
  @Max(50_000)
  maxMatches = 1000;

  @Field('Most entries that one search looks at', { title: 'N' })
  @IsInt()
  @Min(1)
  @Max(10_000_000)
  maxScanned = 1_000_000;
}
