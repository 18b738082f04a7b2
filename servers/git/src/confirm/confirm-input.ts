import { Field } from '@org/mcp-decorators';
import { IsBoolean, IsOptional, IsString } from 'class-validator';

import { RepositoryInput } from '../operations/repository-input.ts';

/** What every tool takes that may lose something. */
export class ConfirmInput extends RepositoryInput {
  @Field('Only tell what would be lost')
  @IsBoolean()
  dry_run = false;

  @Field('From a dry run that the user saw')
  @IsOptional()
  @IsString()
  confirm_token?: string;
}
