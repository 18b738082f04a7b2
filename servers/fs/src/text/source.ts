/** Where bytes come from. */
export interface Source {
  /** Bytes that there are, as far as is known. */
  readonly size: number;
  /** Fills a buffer with what lies at a position; resolves to how many bytes there were, fewer only at the end. */
  readInto(buffer: Buffer, position: number): Promise<number>;
}
