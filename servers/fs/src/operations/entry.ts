import { Integer, OneOf, Text } from '@org/mcp-decorators';

import { ENTRY_TYPES, type EntryType } from '../entry-type.ts';

/** One entry of a directory; a symbolic link is shown, not followed. */
export class Entry {
  @Text() name!: string;
  @OneOf(ENTRY_TYPES) type!: EntryType;
  @Integer('Bytes, of files', { optional: true }) size?: number;
  @Text('ISO 8601', { optional: true }) mtime?: string;
  @Text('Of a link that leads inside', { optional: true }) target?: string;
}
