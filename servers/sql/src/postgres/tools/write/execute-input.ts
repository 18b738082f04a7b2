import { Flag, Integer, OneOf, Text } from '@org/mcp-decorators';

import { FORMAT_NAMES, type FormatName } from '../../../rows/format.ts';
import { ConfirmInput } from '../../../tools/write/confirm-input.ts';
import { ParamsField } from '../../../tools/params-field.ts';

/** The parameters of `ExecuteInput`, described with the statements and placeholders of PostgreSQL. */
export class PostgresExecuteInput extends ConfirmInput {
  @Text('One statement; for several changes, WITH … or DO') sql!: string;
  @ParamsField('Values of $1, $2, …; objects and arrays are JSON') params?: unknown[];
  @Integer('Abort if more rows would be affected', { optional: true, min: 0 }) max_affected?: number;
  @Integer('Maximum number of RETURNING rows; fetch_result reads the rest', { min: 1, max: 10_000 }) max_rows = 100;
  @OneOf(FORMAT_NAMES, 'Format of returned rows') format: FormatName = 'csv';
  @Flag('Also return structured content, for programs') structured = false;
}
