import type { ResultHeader, StreamSink } from '../engine/reading.ts';
import { EXPORT_FORMATS, type ExportFormat, type ExportFormatName } from '../rows/export-format.ts';
import type { Row } from '../rows/format.ts';
import { decodeRows } from '../rows/encoded-rows.ts';
import type { ResultFile } from './result-file.ts';

const TEXT_LENGTH = 16_384;

/** A file with all rows of one statement or stored result, in an export format. */
export class ExportedFile implements StreamSink, AsyncDisposable {
  /** File name in the URI. */
  readonly name: string;
  readonly format: ExportFormat;
  count = 0;
  finished = false;
  readonly #file: ResultFile;
  #names: readonly string[] = [];
  /** Formatted rows that are not written yet. */
  #text = '';
  #begun = false;

  constructor(
    file: ResultFile,
    { filename, format }: { readonly filename: string | undefined; readonly format: ExportFormatName },
  ) {
    this.#file = file;
    this.format = EXPORT_FORMATS[format];
    this.name = filename ?? `export.${this.format.extension}`;
  }

  get bytes(): number {
    return this.#file.bytes;
  }

  get busy(): Promise<void> | undefined {
    return this.#file.busy;
  }

  columns({ names }: ResultHeader): void {
    this.#names = names;
  }

  rows(encoded: Buffer): void {
    for (const row of decodeRows(encoded)) this.row(row);
  }

  /** Adds one row. */
  row(row: Row): void {
    if (this.#begun) this.#text += this.format.between;
    else this.#begin();
    this.#text += this.format.row(row);
    this.count += 1;
    if (this.#text.length >= TEXT_LENGTH) this.#write();
  }

  /** Adds a line of CSV; the first line is the header. */
  line(bytes: Uint8Array): void {
    this.#file.append(bytes);
    if (this.#begun) this.count += 1;
    this.#begun = true;
  }

  notice(): void {
    // Notices are ignored, because a file contains only rows.
  }

  /** Ends the file; resolves to its SHA-256. @throws ToolError errors of `ResultFile.flush` */
  async finish(): Promise<string> {
    if (!this.#begun) this.#begin();
    this.#text += this.format.tail;
    this.#write();
    await this.#file.flush();
    this.finished = true;
    return this.#file.digest();
  }

  read(position: number, length: number): Promise<Buffer> {
    return this.#file.read(position, length);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#file[Symbol.asyncDispose]();
  }

  #begin(): void {
    this.#text += this.format.head(this.#names);
    this.#begun = true;
  }

  #write(): void {
    this.#file.append(this.#text);
    this.#text = '';
  }
}
