import { ReadableZip } from './readable-zip.ts';
import type { DocumentJob, DocumentOutcome, DocumentPart, DocumentType } from './document.ts';
import { readOpenDocument } from './read-open-document.ts';
import { readPresentation } from './read-presentation.ts';

/** The package that reads a type of document is not installed or cannot be loaded. */
class MissingLibraryError extends Error {
  readonly library: string;
  /** Why an installed package cannot be loaded; `undefined` if the package is not installed. */
  readonly reason: string | undefined;

  constructor(library: string, cause: unknown) {
    super(`${library} cannot be loaded`, { cause });
    this.library = library;
    const message = cause instanceof Error ? cause.message : String(cause);
    // A failed import reports `Cannot find package`, and a failed require reports `Cannot find module`.
    const isMissing = ['package', 'module'].some((kind) => message.startsWith(`Cannot find ${kind} '${library}`));
    this.reason = isMissing ? undefined : message;
  }
}

const READERS: Readonly<Record<DocumentType, (content: Uint8Array) => Promise<readonly DocumentPart[]>>> = {
  pdf: readPdf,
  docx: readWord,
  xlsx: readExcel,
  pptx: async (content) => readPresentation(await ReadableZip.open(content)),
  odt: async (content) => readOpenDocument(await ReadableZip.open(content), 'text'),
  ods: async (content) => readOpenDocument(await ReadableZip.open(content), 'sheets'),
  odp: async (content) => readOpenDocument(await ReadableZip.open(content), 'slides'),
};

/** Extracts the text of a document. Never rejects. */
export async function extractDocument({ type, content }: DocumentJob): Promise<DocumentOutcome> {
  try {
    return { outcome: 'read', parts: await READERS[type](content) };
  } catch (error) {
    if (error instanceof MissingLibraryError) {
      const { library, reason } = error;
      return { outcome: 'missing', library, ...(reason !== undefined && { reason }) };
    }
    const isProtected = error instanceof Error && error.name === 'PasswordException';
    return { outcome: 'failed', reason: isProtected ? 'it is protected by a password' : String(error) };
  }
}

async function readPdf(content: Uint8Array): Promise<readonly DocumentPart[]> {
  const { getDocumentProxy, extractText } = await load('unpdf', () => import('unpdf'));
  const { text } = await extractText(await getDocumentProxy(content), { mergePages: false });
  return text.map((page, index) => ({ title: `Page ${index + 1}`, text: page }));
}

async function readWord(content: Uint8Array): Promise<readonly DocumentPart[]> {
  const { default: mammoth } = await load('mammoth', () => import('mammoth'));
  // The library ends each paragraph with two line breaks, which become one line break.
  const { value } = await mammoth.extractRawText({ buffer: Buffer.from(content) });
  return [{ text: value.replaceAll('\n\n', '\n') }];
}

async function readExcel(content: Uint8Array): Promise<readonly DocumentPart[]> {
  const { default: readSheets } = await load('read-excel-file', () => import('read-excel-file/node'));
  const sheets = await readSheets(Buffer.from(content));
  return sheets.map(({ sheet, data }) => ({ title: `Sheet ${sheet}`, text: data.map(formatRow).join('\n') }));
}

function formatRow(row: readonly unknown[]): string {
  return row.map(formatCell).join('\t').trimEnd();
}

function formatCell(value: unknown): string {
  if (value instanceof Date) return value.toISOString().replace('T00:00:00.000Z', '');
  if (typeof value === 'string') return value.replaceAll(/[\t\r\n]+/g, ' ');
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

async function load<Library>(name: string, imported: () => Promise<Library>): Promise<Library> {
  try {
    return await imported();
  } catch (error) {
    throw new MissingLibraryError(name, error);
  }
}
