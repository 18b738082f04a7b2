import { Field } from '@org/mcp-decorators';
import { IsBoolean, IsOptional, IsString } from 'class-validator';

import { DatabaseInput } from './database-input.ts';

/** What every tool takes that changes a database. */
export class ConfirmInput extends DatabaseInput {
  @Field('Only tell what it would do')
  @IsBoolean()
  dry_run = false;

  @Field('From a dry run that the user has seen')
  @IsOptional()
  @IsString()
  confirm_token?: string;
}
