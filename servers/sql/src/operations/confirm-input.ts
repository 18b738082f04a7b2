import { Field } from '@org/mcp-decorators';
import { IsBoolean, IsOptional, IsString } from 'class-validator';

import { DatabaseInput } from './database-input.ts';

/** What every tool takes that changes a database. */
export class ConfirmInput extends DatabaseInput {
  @Field('Change nothing, and tell what would be changed')
  @IsBoolean()
  dry_run = false;

  @Field('Of a dry run that the user agreed to')
  @IsOptional()
  @IsString()
  confirm_token?: string;
}
