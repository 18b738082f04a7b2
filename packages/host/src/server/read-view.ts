import { readFile } from 'node:fs/promises';

const documents = new Map<string, Promise<string>>();

/**
 * Reads the HTML document of a view, `NAME.html` in a directory of the package. The document is read once.
 *
 * @throws Error if the document does not exist, as in a bundle without the views of the package
 */
export function readView(directory: URL, name: string): Promise<string> {
  const file = new URL(`${name}.html`, directory);
  const known = documents.get(file.href) ?? readFile(file, 'utf8');
  documents.set(file.href, known);
  // A failed reading is tried again.
  known.catch(() => documents.delete(file.href));
  return known;
}
