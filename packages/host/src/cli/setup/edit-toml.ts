import type { JsonValue } from '@org/mcp-decorators';
import { parse, stringify } from 'smol-toml';

import { UsageError } from '../../process/usage-error.ts';
import { isObject, type ConfigurationPath, type Editor, type JsonObject } from './configuration-editor.ts';

/**
 * Edits TOML by whole tables: the lines of `[path]` and of the tables inside it are replaced, and all other lines stay unchanged,
 * except blank lines next to them. An entry that is not a table of its own, such as an inline table, is not found. The caller
 * then rejects the edited text, because it does not contain the wanted configuration.
 */
export const tomlEditor: Editor = {
  parse: read,
  obstacle: 'must have a table of its own for',
  set(text, path, value) {
    const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
    const tables = `${stringify(nest(path, value)).trimEnd()}\n`.replaceAll('\n', lineEnd);
    const { kept, position } = withoutTable(text, path);
    const [head, tail] = [kept.slice(0, position).join(''), kept.slice(position).join('')];
    const gap = head === '' || /\n\r?\n$/.test(head) ? '' : head.endsWith('\n') ? lineEnd : lineEnd + lineEnd;
    return `${head}${gap}${tables}${tail === '' ? '' : lineEnd}${tail.replace(/^(?:\r?\n)+/, '')}`;
  },
  remove(text, path) {
    const { kept, position } = withoutTable(text, path);
    const [head, tail] = [kept.slice(0, position).join(''), kept.slice(position).join('')];
    return tail === '' ? withoutBlankEnd(head) : head + tail;
  },
};

/** Removes the empty lines at the end of a text. */
function withoutBlankEnd(text: string): string {
  const content = text.trimEnd();
  const end = text.slice(content.length);
  return content + end.slice(0, end.indexOf('\n') + 1);
}

function read(text: string): JsonObject {
  try {
    return toPlain(parse(text));
  } catch (error) {
    const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new UsageError(`is not valid TOML: ${first}`, { cause: error });
  }
}

/** Converts the tables of the parser, which have no prototype, so that they can be compared with other objects. */
function toPlain(table: object): JsonObject {
  return JSON.parse(JSON.stringify(table));
}

/** Returns the lines outside a table, and the position among them where the table was; the end if the table does not exist. */
function withoutTable(text: string, path: ConfigurationPath): { readonly kept: readonly string[]; readonly position: number } {
  const kept: string[] = [];
  let position: number | undefined;
  let isInside = false;
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const table = readHeader(line);
    if (table !== undefined) isInside = path.every((step, depth) => table[depth] === step);
    if (isInside) position ??= kept.length;
    else kept.push(line);
  }
  return { kept, position: position ?? kept.length };
}

/** Returns the names of the table that a line begins, or `undefined` for another line. */
function readHeader(line: string): readonly string[] | undefined {
  if (!/^\s*\[/.test(line)) return undefined;
  try {
    const names: string[] = [];
    for (let table: unknown = parse(line); isObject(table); table = Object.values(table)[0]) names.push(...Object.keys(table));
    return names;
  } catch {
    // The line begins no table: it is inside a list or a string that spans several lines.
    return undefined;
  }
}

function nest(path: ConfigurationPath, value: JsonValue): Record<string, JsonValue> {
  const [first = '', ...rest] = path.map(String);
  return { [first]: rest.reduceRight<JsonValue>((inner, step) => ({ [step]: inner }), value) };
}
