import { Field, Integer, OneOf, Text, TextList, ToolError, type RequestContext } from '@org/mcp-decorators';
import { IsOptional, Matches } from 'class-validator';

import type { Database } from '../database/database.ts';
import { stream } from '../database/stream.ts';
import { EXPORT_FORMAT_NAMES, type ExportFormatName } from '../rows/export-format.ts';
import { rowsText } from '../rows/size-text.ts';
import { ExportedFile } from '../spool/exported-file.ts';
import type { Spool } from '../spool/spool.ts';
import { DatabaseInput } from './database-input.ts';
import { keptResult } from './fetch-result.ts';
import { refuseNul } from './rows-page.ts';
import { withSuggestions } from './suggestions.ts';

export class ExportInput extends DatabaseInput {
  @Text('One statement that reads', { optional: true }) sql?: string;
  @TextList('Values of $1, $2 and so on, as text', { optional: true }) params?: string[];
  @Text('Of a query with keep, instead of sql', { optional: true }) handle?: string;

  @OneOf(EXPORT_FORMAT_NAMES, 'ndjson: a line with the columns, then an array of values for each row; json: both in one object')
  format: ExportFormatName = 'csv';

  @Field('Of the file; default: export.csv and the like')
  @IsOptional()
  @Matches(/^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/)
  filename?: string;
}

/** A file of rows. */
export class Export {
  @Text('Read it as a resource') uri!: string;
  @Integer() bytes!: number;
  @Integer() rows!: number;
  @Text('Of the whole file, in hexadecimal') sha256!: string;
  @Text('When it is removed, unless it is used') expires_at!: string;
}

/** Where an exported file is read. */
export function exportUri(id: string, file: string): string {
  return `pgexport://${id}/${file}`;
}

/** The file's facts, and what a link to it says. */
export interface ExportAnswer {
  readonly result: Export;
  readonly name: string;
  readonly mimeType: string;
}

/**
 * Writes all rows of a statement or of a kept result to a file.
 *
 * @throws ToolError INVALID_ARGUMENTS, HANDLE_EXPIRED, TOO_LARGE, IO, NO_SPACE, and those of `query`
 */
export async function exportRows(
  database: Database,
  spool: Spool,
  input: ExportInput,
  context: RequestContext,
): Promise<ExportAnswer> {
  const write = writerOf(database, spool, input, context);
  const { handle, made } = await spool.add(
    (file) => new ExportedFile(file, { filename: input.filename, format: input.format }),
    context,
    {
      hashed: true,
    },
  );
  try {
    await write(made);
    const sha256 = await made.finish();
    const { name, count: rows, bytes, format } = made;
    const uri = exportUri(handle, name);
    return { result: { uri, bytes, rows, sha256, expires_at: spool.expiresAt }, name, mimeType: format.mimeType };
  } catch (error) {
    spool.drop(handle);
    throw error;
  }
}

type Writer = (file: ExportedFile) => Promise<void>;

function writerOf(database: Database, spool: Spool, input: ExportInput, context: RequestContext): Writer {
  const { sql, handle, params = [], database: named } = input;
  if ((sql === undefined) === (handle === undefined))
    throw new ToolError('INVALID_ARGUMENTS', 'either sql or handle says what to export');
  if (sql === undefined)
    return (file) => writeKept(file, spool, { handle: handle ?? '', ...(named !== undefined && { database: named }) }, context);
  const statement = { sql, params, timeoutMs: database.timeoutFor(input), asCsv: input.format === 'csv' };
  refuseNul(statement);
  return (file) => withSuggestions(database, context, () => stream(database, statement, file, context));
}

async function writeKept(
  file: ExportedFile,
  spool: Spool,
  named: { readonly handle: string; readonly database?: string },
  context: RequestContext,
): Promise<void> {
  const kept = keptResult(spool, named, context);
  for await (const rows of kept.from(0, context.signal)) {
    file.columns(kept.fields);
    for (const row of rows) file.row(row);
    context.progress(file.count, kept.total, `${rowsText(file.count)}, ${file.bytes} bytes written`);
    await file.busy;
  }
  file.columns(kept.fields);
}
