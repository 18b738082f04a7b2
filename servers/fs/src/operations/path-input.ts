import { Text } from '@org/mcp-decorators';

/** A path, absolute or relative to the first allowed directory: the instructions of the server say so once for all tools. */
export class PathInput {
  @Text() path!: string;
}
