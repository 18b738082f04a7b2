import { Field } from '@org/mcp-decorators';
import { IsBoolean } from 'class-validator';

import { ConnectionOptions } from './connection-options.ts';

/** What may be done to a database, and as whom. */
export class SafetyOptions extends ConnectionOptions {
  @Field('Accept a URL whose role could write or read files of the database server in spite of a read-only transaction')
  @IsBoolean()
  allowPrivilegedRole = false;

  @Field('Let cancel end sessions of other roles too, as far as PostgreSQL lets the role')
  @IsBoolean()
  cancelOthers = false;
}
