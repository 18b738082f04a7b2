import { Field } from '@org/mcp-decorators';
import { IsOptional, IsString } from 'class-validator';

/** Which repository is meant, which every tool asks first. */
export class RepositoryInput {
  @Field('The repository, or a directory in it; may be left out where there is only one')
  @IsOptional()
  @IsString()
  repo_path?: string;
}
