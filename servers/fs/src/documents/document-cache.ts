import type { DocumentPart } from './document.ts';

/** Maximum number of kept documents. A few suffice, because most calls read on in the document of an earlier call. */
const MAX_DOCUMENTS = 4;
/** Maximum number of characters of all kept texts. */
const MAX_CHARACTERS = 33_554_432;

/** Keeps the parts of recently read documents, so that reading on in a document needs no further extraction. */
export class DocumentCache {
  /** Parts by the key of their document, the least recently used document first. */
  readonly #documents = new Map<string, readonly DocumentPart[]>();

  /** Returns the parts of a document. Extracts the parts if they are not kept. @param key path and etag of the document */
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
