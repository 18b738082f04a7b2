import type { DocumentPart } from './document.ts';

/** Maximum number of documents, because a page is mostly followed by the next page of the same document. */
const MAX_DOCUMENTS = 4;
/** Maximum number of characters of all texts. */
const MAX_CHARACTERS = 33_554_432;

/** Keeps the parts of the last documents, so that the next page of a document needs no further extraction. */
export class DocumentCache {
  /** Parts by path and etag, the least recently used document first. */
  readonly #documents = new Map<string, readonly DocumentPart[]>();

  /** Returns the parts of a document, which are extracted if they are not kept. */
  async read(key: string, extract: () => Promise<readonly DocumentPart[]>): Promise<readonly DocumentPart[]> {
    const parts = this.#documents.get(key) ?? (await extract());
    this.#documents.delete(key);
    this.#documents.set(key, parts);
    this.#evict();
    return parts;
  }

  #evict(): void {
    let characters = 0;
    for (const [position, [key, parts]] of [...this.#documents].toReversed().entries()) {
      characters += parts.reduce((sum, { text }) => sum + text.length, 0);
      if (position >= MAX_DOCUMENTS || characters > MAX_CHARACTERS) this.#documents.delete(key);
    }
  }
}
