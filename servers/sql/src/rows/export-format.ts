import { FORMATS, type Row, type RowFormat } from './format.ts';

/** How a file of rows is written. */
export interface ExportFormat extends RowFormat {
  readonly mimeType: string;
  readonly extension: string;
  /** Stands between two rows. */
  readonly between: string;
  readonly tail: string;
}

export const EXPORT_FORMAT_NAMES = ['csv', 'ndjson', 'json', 'markdown'] as const;

export type ExportFormatName = (typeof EXPORT_FORMAT_NAMES)[number];

/** Values are text or null in all of them; JSON is an object of `columns` and `rows`, NDJSON the same in lines. */
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
