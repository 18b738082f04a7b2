import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';

/** The files of a ZIP archive in memory, whose sizes were verified before. */
export class ReadableZip {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  static async open(content: Uint8Array): Promise<ReadableZip> {
    const zip = await fromBufferPromise(Buffer.from(content), { lazyEntries: true });
    const entries = new Map<string, Entry>();
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
    return new ReadableZip(zip, entries);
  }

  get names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  /** Returns the text of a file, or an empty string if the archive does not contain the file. */
  async text(name: string): Promise<string> {
    const entry = this.#entries.get(name);
    if (entry === undefined) return '';
    const parts: Buffer[] = [];
    for await (const part of await this.#zip.openReadStreamPromise(entry)) parts.push(Buffer.from(part as Uint8Array));
    return Buffer.concat(parts).toString('utf8');
  }
}
