import { Field, OneOf, Text } from '@org/mcp-decorators';
import { IsOptional } from 'class-validator/cjs/decorator/common/IsOptional.js';
import { Matches } from 'class-validator/cjs/decorator/string/Matches.js';

import { EXPORT_FORMAT_NAMES, type ExportFormatName } from '../../rows/export-format.ts';
import { DatabaseInput } from '../../tools/database-input.ts';
import { ParamsField } from '../../tools/params-field.ts';

/** The parameters of `ExportInput`, described with the placeholders of PostgreSQL. */
export class PostgresExportInput extends DatabaseInput {
  @Text('One reading statement, unless handle is given', { optional: true }) sql?: string;
  @ParamsField('Values of $1, $2, …; objects and arrays are JSON') params?: unknown[];
  @Text('Handle returned by query with keep: true, or by execute', { optional: true }) handle?: string;

  @OneOf(EXPORT_FORMAT_NAMES, 'ndjson: a line with the columns, then one array per row; json: one object')
  format: ExportFormatName = 'csv';

  @Field('File name; default: export with the extension of the format')
  @IsOptional()
  @Matches(/^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/)
  filename?: string;
}
