import { IsString } from 'class-validator';

/** A path, absolute or relative to the first allowed directory: the instructions of the server say so once for all tools. */
export class PathInput {
  @IsString()
  path!: string;
}
