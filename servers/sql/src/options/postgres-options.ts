import { Field } from '@org/mcp-decorators';
import { IsOptional, IsString } from 'class-validator';

import { ResultOptions } from './result-options.ts';

/** Options of the PostgreSQL server. */
export class PostgresOptions extends ResultOptions {
  @Field('Folder of saved queries: each *.sql with a description becomes a tool, while the server runs', {
    title: 'DIRECTORY',
    format: 'path',
  })
  @IsOptional()
  @IsString()
  queries?: string;
}
