import { Field, Integer, OneOf, Result, Text, ToolError, type RequestContext } from '@org/mcp-decorators';
import { IsOptional } from 'class-validator/cjs/decorator/common/IsOptional.js';
import { Matches } from 'class-validator/cjs/decorator/string/Matches.js';

import { timeoutFor } from '../../engine/limits.ts';
import { rejectNul } from '../../engine/reject-nul.ts';
import type { SqlDatabase } from '../../engine/sql-database.ts';
import type { ExportDirectory } from '../../result-store/export-directory.ts';
import { ExportedFile } from '../../result-store/exported-file.ts';
import type { ResultStore } from '../../result-store/result-store.ts';
import { EXPORT_FORMAT_NAMES, type ExportFormatName } from '../../rows/export-format.ts';
import { rowsText } from '../../rows/size-text.ts';
import { DatabaseInput } from '../database-input.ts';
import { withSuggestions } from '../suggestions.ts';
import { getStoredResult } from './fetch-result.ts';
import { ParamsField, toTexts } from '../params-field.ts';

export class ExportInput extends DatabaseInput {
  @Text('One reading statement, unless handle is given', { optional: true }) sql?: string;
  @ParamsField('Values of the placeholders, in order; objects and arrays are JSON') params?: unknown[];
  @Text('Handle returned by query with keep: true, or by execute', { optional: true }) handle?: string;

  @OneOf(EXPORT_FORMAT_NAMES, 'ndjson: a line with the columns, then one array per row; json: one object')
  format: ExportFormatName = 'csv';

  @Field('File name; default: export with the extension of the format')
  @IsOptional()
  @Matches(/^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/)
  filename?: string;
}

/** An exported file. */
export class Export {
  @Text('URI of the resource to read') uri!: string;
  @Integer() bytes!: number;
  @Integer() rows!: number;
  @Text('SHA-256 of the file, in hexadecimal') sha256!: string;
  @Text('Time of removal, unless the file is used') expires_at!: string;
  @Text('Saved copy', { optional: true }) path?: string;
}

/** Returns the URI of an exported file. @param scheme `uriScheme` of the engine */
export function formatExportUri(scheme: string, id: string, file: string): string {
  return `${scheme}export://${id}/${file}`;
}

/** The store of exports, and the directory of `--export-dir`. */
interface ExportTarget {
  readonly results: ResultStore;
  readonly directory: ExportDirectory | undefined;
}

/**
 * Writes all rows of a statement or of a stored result to a file, and returns a link to the file.
 *
 * @throws ToolError INVALID_ARGUMENTS unless the input has either `sql` or `handle`; TOO_LARGE if the store is full;
 * ALREADY_EXISTS if `--export-dir` has 1,000 files with the name; HANDLE_EXPIRED, IO, NO_SPACE, and errors of `query`
 */
export async function exportRows(
  database: SqlDatabase,
  { results, directory }: ExportTarget,
  input: ExportInput,
  context: RequestContext,
): Promise<Result> {
  const write = selectRows(database, results, input, context);
  const { handle, made } = await results.add(
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
    const uri = formatExportUri(database.engine.uriScheme, handle, name);
    const saved = await directory?.save(made, context.signal);
    const exported: Export = {
      uri,
      bytes,
      rows,
      sha256,
      expires_at: results.expiresAt,
      ...(saved !== undefined && { path: saved }),
    };
    const link = { uri, name, mimeType: format.mimeType, size: bytes, description: rowsText(rows) };
    return Result.of(exported, formatExport(exported), { links: [link] });
  } catch (error) {
    results.drop(handle);
    throw error;
  }
}

function formatExport({ uri, bytes, rows, sha256, expires_at, path }: Export): string {
  return [
    `${rowsText(rows)}, ${bytes} bytes: ${uri}`,
    `sha256 ${sha256}`,
    `available until ${expires_at}, or longer if it is used`,
    ...(path === undefined ? [] : [`saved as ${path}`]),
  ].join('\n');
}

type WriteRows = (file: ExportedFile) => Promise<void>;

/**
 * Returns a function that writes the selected rows to a file.
 *
 * @throws ToolError INVALID_ARGUMENTS as `exportRows`, and for the character NUL in `sql` or `params`
 */
function selectRows(database: SqlDatabase, results: ResultStore, input: ExportInput, context: RequestContext): WriteRows {
  const { sql, handle, database: named } = input;
  if ((sql === undefined) === (handle === undefined))
    throw new ToolError('INVALID_ARGUMENTS', 'export requires either sql or handle');
  if (sql === undefined)
    return (file) =>
      writeStoredRows(file, results, { handle: handle ?? '', ...(named !== undefined && { database: named }) }, context);
  const statement = { sql, params: toTexts(input.params), timeoutMs: timeoutFor(database, input), asCsv: input.format === 'csv' };
  rejectNul(database, statement);
  return (file) => withSuggestions(database, context, () => database.stream(statement, file, context));
}

async function writeStoredRows(
  file: ExportedFile,
  results: ResultStore,
  named: { readonly handle: string; readonly database?: string },
  context: RequestContext,
): Promise<void> {
  const kept = getStoredResult(results, named, context);
  for await (const rows of kept.rowsFrom(0, context.signal)) {
    file.columns(kept.header);
    for (const row of rows) file.row(row);
    context.progress(file.count, kept.total, `${rowsText(file.count)}, ${file.bytes} bytes written`);
    await file.busy;
  }
  file.columns(kept.header);
}
