import { Flag, Text } from '@org/mcp-decorators';

/** Something that goes from one path to another. */
export class TransferInput {
  @Text() source!: string;
  @Text() destination!: string;
  @Flag('Replace an existing file', { optional: true }) overwrite?: boolean;
  @Text('Only if this is the etag of the source', { optional: true }) ifMatch?: string;
  @Flag('Cannot be undone', { optional: true }) permanent?: boolean;
}
