import type { DocumentPart } from './document.ts';
import { parseXml } from './parse-xml.ts';
import type { ReadableZip } from './readable-zip.ts';

/**
 * For each kind of document, the element of a part, the attribute with the name of the part, and the first word of its title. A
 * text document is not divided into parts.
 */
const PARTS = {
  text: undefined,
  sheets: { element: 'table:table', attribute: 'table:name', word: 'Sheet' },
  slides: { element: 'draw:page', attribute: undefined, word: 'Slide' },
} as const;

/** Elements whose text is not part of the document. */
const OMITTED = new Set(['office:annotation', 'text:tracked-changes', 'presentation:notes']);
const PARAGRAPHS = new Set(['text:p', 'text:h']);

/**
 * Reads the text of an OpenDocument file. Each paragraph outside tables and each row of a table becomes a line. The cells of a
 * row are separated by tabs.
 */
export async function readOpenDocument(zip: ReadableZip, by: keyof typeof PARTS): Promise<readonly DocumentPart[]> {
  const xml = await zip.text('content.xml');
  if (xml === '') throw new Error('the document has no content.xml');
  const reader = new OpenDocumentReader(PARTS[by]);
  parseXml(xml, reader);
  return reader.parts();
}

class OpenDocumentReader {
  readonly #kind: (typeof PARTS)[keyof typeof PARTS];
  readonly #parts: DocumentPart[] = [];
  #pieces: string[] = [];
  #title: string | undefined;
  #paragraphs = 0;
  #cells = 0;
  #omitted = 0;

  constructor(kind: (typeof PARTS)[keyof typeof PARTS]) {
    this.#kind = kind;
  }

  parts(): readonly DocumentPart[] {
    return this.#kind === undefined ? [{ text: this.#take() }] : this.#parts;
  }

  open = (name: string, attributes: Readonly<Record<string, string>>): void => {
    if (OMITTED.has(name)) this.#omitted += 1;
    if (PARAGRAPHS.has(name)) this.#paragraphs += 1;
    if (name === 'table:table-cell') this.#cells += 1;
    if (name === 'text:tab') this.#pieces.push('\t');
    if (name === 'text:line-break') this.#pieces.push(this.#cells > 0 ? ' ' : '\n');
    if (name === 'text:s') this.#pieces.push(' ');
    if (name === this.#kind?.element) this.#begin(attributes);
  };

  close = (name: string): void => {
    if (OMITTED.has(name)) this.#omitted -= 1;
    if (PARAGRAPHS.has(name)) this.#endParagraph();
    if (name === 'table:table-cell') {
      this.#cells -= 1;
      this.#pieces.push('\t');
    }
    if (name === 'table:table-row') this.#pieces.push('\n');
    if (name === this.#kind?.element && this.#title !== undefined) {
      this.#parts.push({ title: this.#title, text: this.#take() });
      this.#title = undefined;
    }
  };

  text = (text: string): void => {
    if (this.#paragraphs > 0 && this.#omitted === 0) this.#pieces.push(text);
  };

  #begin(attributes: Readonly<Record<string, string>>): void {
    if (this.#kind === undefined) return;
    const { attribute, word } = this.#kind;
    const name = attribute === undefined ? undefined : attributes[attribute];
    this.#title = `${word} ${name ?? this.#parts.length + 1}`;
    this.#pieces = [];
  }

  #endParagraph(): void {
    this.#paragraphs -= 1;
    if (this.#paragraphs === 0 && this.#omitted === 0) this.#pieces.push(this.#cells > 0 ? ' ' : '\n');
  }

  #take(): string {
    const text = this.#pieces.join('');
    this.#pieces = [];
    return text
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n')
      .trim();
  }
}
