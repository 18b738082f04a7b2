import { Field } from '@org/mcp-decorators';
import { IsOptional, IsString } from 'class-validator';

/** Which repository is meant, which every tool asks first. */
export class RepositoryInput {
  @Field('Default: the only one')
  @IsOptional()
  @IsString()
  repo_path?: string;
}
