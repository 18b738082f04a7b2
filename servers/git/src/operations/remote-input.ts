import { Field } from '@org/mcp-decorators';
import { IsOptional, IsString } from 'class-validator';

import { RepositoryInput } from './repository-input.ts';

/** Which remote is meant. */
export class RemoteInput extends RepositoryInput {
  @Field("Name of a remote; default: the current branch's, else origin")
  @IsOptional()
  @IsString()
  remote?: string;
}
