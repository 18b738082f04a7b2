import { Field, Text, ToolError, type RequestContext } from '@org/mcp-decorators';
import { IsOptional } from 'class-validator/cjs/decorator/common/IsOptional.js';
import { Matches } from 'class-validator/cjs/decorator/string/Matches.js';

import type { SqlEngine } from '../engine/sql-engine.ts';
import { formatExportUri } from '../tools/query/export.ts';
import { ExportedFile } from '../result-store/exported-file.ts';
import type { ResultStore } from '../result-store/result-store.ts';

/**
 * Maximum size of a part, in bytes. JSON writes a control character with six bytes, and stdio clients of the SDK close the
 * connection at a message of 10 MiB.
 */
const PART_BYTES = 1_572_864;

/** The decoded variables of a URI that matches `EXPORT_URI`. */
export class ExportUri {
  @Text('Id of the export') id!: string;
  @Text('File name') file!: string;

  @Field('Byte offset; a file of more than 1.5 MiB is read in parts')
  @IsOptional()
  @Matches(/^\d{1,15}$/)
  offset?: string;
}

/** A part of a file. `_meta` has the size of the file in bytes, and the offset of the next part, if more follows. */
export interface ExportPart {
  readonly contents: readonly [{ readonly text: string; readonly mimeType: string; readonly _meta: PartFacts }];
}

interface PartFacts {
  readonly bytes: number;
  readonly next_offset?: number;
}

/**
 * Reads a part of an exported file.
 *
 * @throws ToolError NOT_FOUND if the export has no finished file with this name; TOO_LARGE for a file of more than 1.5 MiB
 * without an offset; HANDLE_EXPIRED, IO
 */
export async function readExport(
  { uriScheme }: SqlEngine,
  results: ResultStore,
  { id, file, offset }: ExportUri,
  context: RequestContext,
): Promise<ExportPart> {
  const exported = results.get(id, ExportedFile, context);
  if (exported.name !== file || !exported.finished) throw new ToolError('NOT_FOUND', 'the export has no file with this name');
  const { bytes, format } = exported;
  if (offset === undefined && bytes > PART_BYTES)
    throw new ToolError('TOO_LARGE', `the file has ${bytes} bytes, more than fit into a message`, {
      hint: `read the file in parts: ${formatExportUri(uriScheme, id, file)}?offset=0, then with the next_offset of each part`,
    });
  const start = Number(offset ?? 0);
  const part = await exported.read(start, PART_BYTES);
  // With `stream: true`, the decoder holds back an incomplete character at the end, with which the next part then begins.
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(part, { stream: true });
  const next = start + Buffer.byteLength(text);
  const facts = { bytes, ...(next < bytes && { next_offset: next }) };
  return { contents: [{ text, mimeType: format.mimeType, _meta: facts }] };
}
