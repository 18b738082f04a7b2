import { Flag, Text } from '@org/mcp-decorators';

import { PathInput } from './path-input.ts';

/** A path of something that is changed. */
export class ChangeInput extends PathInput {
  @Text('Only if this is its etag', { optional: true }) ifMatch?: string;
  @Flag('Cannot be undone', { optional: true }) permanent?: boolean;
}
