import { Field } from '@org/mcp-decorators';
import { IsBoolean, IsOptional, IsString } from 'class-validator';

import { PathInput } from './path-input.ts';

/** A path of something that is changed. */
export class ChangeInput extends PathInput {
  @Field('Only if the file has this etag')
  @IsOptional()
  @IsString()
  ifMatch?: string;

  @Field('Do not keep what was there for undo_change')
  @IsOptional()
  @IsBoolean()
  permanent?: boolean;
}
