import { parseDocument, type Document } from 'yaml';

import { UsageError } from '../../process/usage-error.ts';
import { requireObject, type Editor } from './configuration-editor.ts';

/** Edits YAML. Comments and the order of the properties stay; the library may write other white space. */
export const yamlEditor: Editor = {
  obstacle: 'has an alias or an unusual form in the path',
  parse: (text) => requireObject(open(text).toJS() ?? {}),
  set(text, path, value) {
    const document = open(text);
    document.setIn(path, document.createNode(value));
    return format(document, text);
  },
  remove(text, path) {
    const document = open(text);
    document.deleteIn(path);
    return format(document, text);
  },
};

function open(text: string): Document {
  const document = parseDocument(text);
  const [first] = document.errors;
  if (first === undefined) return document;
  throw new UsageError(`is not valid YAML: ${first.code} in line ${first.linePos?.[0].line ?? 1}`, { cause: first });
}

function format(document: Document, text: string): string {
  // Some programs write the items of a list at the indentation of its name.
  const indentSeq = !/^( *)[^\s#-].*:\r?\n\1- /m.test(text);
  const edited = document.toString({ lineWidth: 0, indentSeq });
  return text.includes('\r\n') ? edited.replaceAll('\n', '\r\n') : edited;
}
