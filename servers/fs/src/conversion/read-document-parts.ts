import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { Worker } from 'node:worker_threads';

import { ToolError } from '@org/mcp-decorators';
import { quotePath } from '@org/mcp-roots';

import { readArchive, type ArchiveLimits } from '../archives/read-archive.ts';
import type { ReadableFile } from '../journal/contents.ts';
import { MEMORY_MB, PROGRAM } from '../threads/worker-thread.ts';
import {
  DOCUMENT_TYPES,
  type DocumentJob,
  type DocumentOutcome,
  type DocumentPart,
  type DocumentType,
} from '../documents/document.ts';

/** Limits of a document. */
export interface DocumentLimits extends ArchiveLimits {
  /** Maximum number of bytes of the file, and of its text. */
  readonly maxDocumentBytes: number;
  /** Time limit of the extraction in milliseconds. */
  readonly maxDocumentTime: number;
}

/** The content of a document, and its path for error messages. */
export interface DocumentFile {
  readonly content: Buffer;
  readonly given: string;
}

/**
 * Extracts the text of a document in a thread of its own, which has a limited memory and ends at the time limit. The libraries
 * get no archive whose contents exceed the limits of archives.
 *
 * @throws ToolError INVALID_DOCUMENT, LIBRARY_MISSING, INVALID_ARCHIVE, TOO_LARGE, TIMEOUT; the signal's reason
 */
export async function readDocumentParts(
  document: DocumentFile,
  limits: DocumentLimits,
  signal: AbortSignal,
): Promise<readonly DocumentPart[]> {
  const type = await detectDocument(document);
  if (type !== 'pdf') await verifyArchive(document, limits, signal);
  const outcome = await runInThread({ job: 'document', type, content: document.content }, { document, limits, signal });
  if (outcome.outcome === 'missing') throw missingLibrary(type, outcome);
  if (outcome.outcome === 'failed')
    throw new ToolError('INVALID_DOCUMENT', `${quotePath(document.given)} cannot be read: ${outcome.reason.slice(0, 200)}`);
  const bytes = outcome.parts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  if (bytes > limits.maxDocumentBytes)
    throw tooLarge(document, `a text of ${bytes} bytes`, `${limits.maxDocumentBytes} bytes`, MORE_BYTES);
  return outcome.parts;
}

async function detectDocument({ content, given }: DocumentFile): Promise<DocumentType> {
  const { fileTypeFromBuffer } = await import('file-type/core');
  const mime = (await fileTypeFromBuffer(content))?.mime;
  if (isDocumentMime(mime)) return DOCUMENT_TYPES[mime];
  if (mime === 'application/x-cfb')
    throw new ToolError('INVALID_DOCUMENT', `${quotePath(given)} has an old Office format or is protected by a password`, {
      hint: 'save it as docx, xlsx, pptx or PDF without a password',
    });
  throw new ToolError('INVALID_DOCUMENT', `${quotePath(given)} is not a document that can be read`, {
    hint: `read_document reads ${Object.values(DOCUMENT_TYPES).join(', ')}; read_text_file reads text files`,
  });
}

function isDocumentMime(mime: string | undefined): mime is keyof typeof DOCUMENT_TYPES {
  return mime !== undefined && Object.hasOwn(DOCUMENT_TYPES, mime);
}

/** Decompresses all entries once, so that no library decompresses more bytes than the limits allow. */
async function verifyArchive({ content, given }: DocumentFile, limits: DocumentLimits, signal: AbortSignal): Promise<void> {
  const file: ReadableFile = {
    size: content.length,
    readAt: async (position, length) => content.subarray(position, position + length),
  };
  for await (const entry of readArchive(file, given, limits, signal))
    if (entry.type === 'file') await finished(Readable.from(entry.read()).resume(), { signal });
}

interface ThreadCall {
  readonly document: DocumentFile;
  readonly limits: DocumentLimits;
  readonly signal: AbortSignal;
}

async function runInThread(job: DocumentJob, { document, limits, signal }: ThreadCall): Promise<DocumentOutcome> {
  signal.throwIfAborted();
  const worker = new Worker(PROGRAM, {
    execArgv: [],
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    // Keeps warnings of the libraries out of the stdout of the process, where they would be part of a stdio connection.
    stdout: true,
    stderr: true,
  });
  const late = AbortSignal.timeout(limits.maxDocumentTime);
  const ended = AbortSignal.any([signal, late]);
  try {
    return await new Promise<DocumentOutcome>((resolve, reject) => {
      ended.addEventListener('abort', () => reject(signal.aborted ? signal.reason : timeout(document, limits)), { once: true });
      worker.once('message', resolve);
      worker.once('error', (error) => reject(explainError(error, document)));
      worker.once('exit', () => reject(new Error('the thread that reads a document ended')));
    });
  } finally {
    await worker.terminate();
  }
}

function explainError(error: unknown, document: DocumentFile): unknown {
  const isOutOfMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isOutOfMemory ? tooLarge(document, 'contents that need too much memory', `${MEMORY_MB} MB`, SPLIT) : error;
}

const MORE_BYTES = 'the operator can raise the limit with --max-document-bytes';
const SPLIT = 'divide the document into smaller files, or save a spreadsheet as CSV and read it with read_text_file';

function tooLarge({ given }: DocumentFile, what: string, limit: string, hint: string): ToolError {
  return new ToolError('TOO_LARGE', `${quotePath(given)} has ${what}; the limit is ${limit}`, { hint });
}

function timeout({ given }: DocumentFile, { maxDocumentTime }: DocumentLimits): ToolError {
  return new ToolError('TIMEOUT', `${quotePath(given)} was not read within ${maxDocumentTime} ms`, {
    hint: 'the operator can raise the limit with --max-document-time',
  });
}

function missingLibrary(
  type: DocumentType,
  { library, reason }: { readonly library: string; readonly reason?: string },
): ToolError {
  const problem = reason === undefined ? 'is not installed' : `cannot be loaded: ${reason.slice(0, 200)}`;
  return new ToolError('LIBRARY_MISSING', `reading ${type} files needs the package ${library}, which ${problem}`, {
    hint: `the operator can install it beside this server, for example with npm install --global @org/mcp-fs ${library}`,
    data: { library },
  });
}
