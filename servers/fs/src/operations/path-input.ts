import { Field } from '@org/mcp-decorators';
import { IsString } from 'class-validator';

/** A path, which is all that many tools need. */
export class PathInput {
  @Field('Absolute, or relative to the first allowed directory')
  @IsString()
  path!: string;
}
