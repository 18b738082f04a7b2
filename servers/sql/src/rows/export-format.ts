import { FORMATS, type Row, type RowFormat } from './format.ts';

/** Format of an exported file. */
export interface ExportFormat extends RowFormat {
  readonly mimeType: string;
  readonly extension: string;
  /** Text between two rows. */
  readonly between: string;
  readonly tail: string;
}

export const EXPORT_FORMAT_NAMES = ['csv', 'ndjson', 'json', 'markdown'] as const;

export type ExportFormatName = (typeof EXPORT_FORMAT_NAMES)[number];

/**
 * Each value is text as the database formats it, or NULL as in `FORMATS`. JSON is an object with `columns` and `rows`. NDJSON has
 * a line with the columns, then one line per row.
 */
export const EXPORT_FORMATS: Readonly<Record<ExportFormatName, ExportFormat>> = {
  csv: { ...FORMATS.csv, mimeType: 'text/csv', extension: 'csv', between: '', tail: '' },
  ndjson: { ...FORMATS.json, mimeType: 'application/x-ndjson', extension: 'ndjson', between: '', tail: '' },
  json: {
    mimeType: 'application/json',
    extension: 'json',
    head: (columns) => `{"columns":${JSON.stringify(columns)},"rows":[\n`,
    row: (values: Row) => JSON.stringify(values),
    between: ',\n',
    tail: '\n]}\n',
  },
  markdown: { ...FORMATS.markdown, mimeType: 'text/markdown', extension: 'md', between: '', tail: '' },
};
