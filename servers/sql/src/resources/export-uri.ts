import { Field, Text, ToolError, type RequestContext } from '@org/mcp-decorators';
import { IsOptional, Matches } from 'class-validator';

import { exportUri } from '../operations/export.ts';
import { ExportedFile } from '../spool/exported-file.ts';
import type { Spool } from '../spool/spool.ts';

export const EXPORT_URI = 'pgexport://{id}/{file}{?offset}';

/** Read at a time: JSON writes a control character with six bytes, and the SDK's stdio clients close at a message of 10 MiB. */
const PART_BYTES = 1_572_864;

/** The variables of `EXPORT_URI`, decoded. */
export class ExportUri {
  @Text() id!: string;
  @Text() file!: string;

  @Field('Byte to begin with; a file that is longer than 1.5 MiB is read in parts')
  @IsOptional()
  @Matches(/^\d{1,15}$/)
  offset?: string;
}

/** The text of a file, and in `_meta` where its next part begins. */
export interface ExportPart {
  readonly contents: readonly [{ readonly text: string; readonly mimeType: string; readonly _meta: PartFacts }];
}

interface PartFacts {
  readonly bytes: number;
  readonly next_offset?: number;
}

/** @throws ToolError HANDLE_EXPIRED, NOT_FOUND, TOO_LARGE, IO */
export async function readExport(spool: Spool, { id, file, offset }: ExportUri, context: RequestContext): Promise<ExportPart> {
  const exported = spool.get(id, ExportedFile, context);
  if (exported.name !== file || !exported.finished) throw new ToolError('NOT_FOUND', 'there is no such file');
  const { bytes, format } = exported;
  if (offset === undefined && bytes > PART_BYTES)
    throw new ToolError('TOO_LARGE', `the file has ${bytes} bytes, more than a message may have`, {
      hint: `read it in parts: ${exportUri(id, file)}?offset=0, then the next_offset of each`,
    });
  const start = Number(offset ?? 0);
  const part = await exported.read(start, PART_BYTES);
  // In a stream the decoder keeps back a character that was cut in its middle.
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(part, { stream: true });
  const next = start + Buffer.byteLength(text);
  const facts = { bytes, ...(next < bytes && { next_offset: next }) };
  return { contents: [{ text, mimeType: format.mimeType, _meta: facts }] };
}
