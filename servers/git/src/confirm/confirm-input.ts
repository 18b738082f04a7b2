import { Field } from '@org/mcp-decorators';
import { IsBoolean, IsOptional, IsString } from 'class-validator';

import { RepositoryInput } from '../operations/repository-input.ts';

/** What every tool takes that may lose something. */
export class ConfirmInput extends RepositoryInput {
  @Field('Only tell what would be lost, with a confirm_token')
  @IsBoolean()
  dry_run = false;

  @Field('confirm_token of a dry run with the same arguments: confirms it in place of the user')
  @IsOptional()
  @IsString()
  confirm_token?: string;
}
