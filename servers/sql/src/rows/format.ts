/** A row with the values as the database formats them; NULL is `null`. */
export type Row = readonly (string | null)[];

/** Text format of rows, with at least one line per row. */
export interface RowFormat {
  readonly head: (columns: readonly string[]) => string;
  readonly row: (values: Row) => string;
}

export const FORMAT_NAMES = ['csv', 'json', 'markdown', 'tsv'] as const;

export type FormatName = (typeof FORMAT_NAMES)[number];

/** In CSV and Markdown NULL is empty and the empty string is `""`; in TSV NULL is `\N`; in JSON it is `null`. */
export const FORMATS: Readonly<Record<FormatName, RowFormat>> = {
  csv: lines({ value: csvValue, join: (values) => values.join(',') }),
  tsv: lines({ value: tsvValue, join: (values) => values.join('\t') }),
  markdown: {
    ...lines({ value: markdownValue, join: markdownRow }),
    head: (columns) => `${markdownRow(columns.map(markdownValue))}\n${markdownRow(columns.map(() => '---'))}\n`,
  },
  json: {
    head: (columns) => `{"columns":${JSON.stringify(columns)}}\n`,
    row: (values) => `${JSON.stringify(values)}\n`,
  },
};

interface LineStyle {
  readonly value: (value: string | null) => string;
  readonly join: (values: readonly string[]) => string;
}

function lines({ value, join }: LineStyle): RowFormat {
  const row = (values: Row): string => `${join(values.map(value))}\n`;
  return { head: row, row };
}

function csvValue(value: string | null): string {
  if (value === null) return '';
  return value === '' || /[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

const TSV_ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function tsvValue(value: string | null): string {
  return value === null ? '\\N' : value.replaceAll(/[\\\t\n\r]/g, (character) => TSV_ESCAPES[character] ?? character);
}

function markdownValue(value: string | null): string {
  if (value === null) return '';
  return value === ''
    ? '""'
    : value
        .replaceAll('\\', '\\\\')
        .replaceAll('|', '\\|')
        .replaceAll(/\r\n?|\n/g, '<br>');
}

function markdownRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
