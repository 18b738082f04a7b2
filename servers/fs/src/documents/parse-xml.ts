import { SaxesParser } from 'saxes';

/** Handlers for the tags and the texts of an XML document. */
export interface XmlHandlers {
  /** @param attributes values of the attributes by name; a name includes its namespace prefix */
  readonly open: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly close: (name: string) => void;
  readonly text: (text: string) => void;
}

/** Parses XML. A reference to an entity of a document type is an error, so that a short text cannot expand to a long text. */
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
