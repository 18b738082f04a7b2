import { Flag, Integer, OneOf, Text, TextList } from '@org/mcp-decorators';

import { FORMAT_NAMES, type FormatName } from '../../../rows/format.ts';
import { ConfirmInput } from '../../../tools/write/confirm-input.ts';

/** `ExecuteInput` with the statements and placeholders of PostgreSQL. */
export class PostgresExecuteInput extends ConfirmInput {
  @Text('One statement; to make several changes together, use WITH … or DO') sql!: string;
  @TextList('Values of $1, $2 and so on, as text', { optional: true }) params?: string[];
  @Integer('Abort if more than this many rows would be affected', { optional: true, min: 0 }) max_affected?: number;
  @Integer('Maximum number of RETURNING rows; fetch_result reads the rest', { min: 1, max: 10_000 }) max_rows = 100;
  @OneOf(FORMAT_NAMES, 'Output format of returned rows') format: FormatName = 'csv';
  @Flag('Also return structured content, for programs') structured = false;
}
