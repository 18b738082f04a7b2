/** Types of documents by their MIME type. */
export const DOCUMENT_TYPES = {
  'application/pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.presentation': 'odp',
} as const;

export type DocumentType = (typeof DOCUMENT_TYPES)[keyof typeof DOCUMENT_TYPES];

/** A page, slide or sheet of a document, or a whole text document. */
export interface DocumentPart {
  /** Absent for a text document. */
  readonly title?: string;
  readonly text: string;
}

/** Message that starts the extraction in a worker thread. */
export interface DocumentJob {
  readonly job: 'document';
  readonly type: DocumentType;
  readonly content: Uint8Array;
}

/** Message with the outcome of an extraction. */
export type DocumentOutcome =
  | { readonly outcome: 'read'; readonly parts: readonly DocumentPart[] }
  /** A library is not installed. With `reason`, the library is installed, but cannot be loaded for this reason. */
  | { readonly outcome: 'missing'; readonly library: string; readonly reason?: string }
  | { readonly outcome: 'failed'; readonly reason: string };

export function isDocumentJob(value: unknown): value is DocumentJob {
  return typeof value === 'object' && value !== null && 'job' in value && value.job === 'document';
}
