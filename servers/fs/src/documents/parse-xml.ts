import { SaxesParser } from 'saxes';

/** Handlers for the parts of an XML text. */
export interface XmlHandlers {
  /** @param attributes values by name, with prefixes */
  readonly open: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly close: (name: string) => void;
  readonly text: (text: string) => void;
}

/** Parses XML. Entities that a document type defines are an error, so that a short text cannot expand to a long one. */
export function parseXml(xml: string, { open, close, text }: XmlHandlers): void {
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => open(name, attributes));
  parser.on('closetag', ({ name }) => close(name));
  parser.on('text', text);
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(xml).close();
}
