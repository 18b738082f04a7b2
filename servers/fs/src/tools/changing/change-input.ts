import { Flag, Text } from '@org/mcp-decorators';

/** The input of a tool that changes one path. */
export class ChangeInput {
  @Text('Absolute, or in the first root') path!: string;
  @Text('The file must have this etag', { optional: true }) ifMatch?: string;
  @Flag('Change cannot be undone', { optional: true }) permanent?: boolean;
}
