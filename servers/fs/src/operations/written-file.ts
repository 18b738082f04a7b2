import { Flag, Integer, Text } from '@org/mcp-decorators';

/** A file that was written. */
export class WrittenFile {
  @Text() path!: string;
  @Integer() bytes!: number;
  @Flag() created!: boolean;
  @Text() etag!: string;
  @Text({ optional: true }) previousEtag?: string;
  @Text({ optional: true }) undoId?: string;
  @Text({ optional: true }) warning?: string;
}
