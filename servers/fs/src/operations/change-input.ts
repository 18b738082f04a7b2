import { Field } from '@org/mcp-decorators';
import { IsBoolean, IsOptional, IsString } from 'class-validator';

import { PathInput } from './path-input.ts';

/** A path of something that is changed. */
export class ChangeInput extends PathInput {
  @Field('Only if this is its etag')
  @IsOptional()
  @IsString()
  ifMatch?: string;

  @Field('Cannot be undone')
  @IsOptional()
  @IsBoolean()
  permanent?: boolean;
}
