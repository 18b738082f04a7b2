import type { JsonValue } from '@org/mcp-decorators';
import {
  applyEdits,
  modify,
  parse,
  printParseErrorCode,
  type ParseError,
  findNodeAtLocation,
  parseTree,
  stripComments,
  type Node,
} from 'jsonc-parser';

import { UsageError } from '../../process/usage-error.ts';
import { requireObject, type ConfigurationPath, type Editor, type JsonObject } from './configuration-editor.ts';

/** Edits JSON with comments. All text outside the changed value stays unchanged, except commas and white space next to it. */
export const jsonEditor: Editor = {
  parse: read,
  set: setValue,
  remove: removeValue,
  obstacle: 'contains a duplicate name in the path',
};

function read(text: string): JsonObject {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [first] = errors;
  if (first !== undefined) {
    const line = text.slice(0, first.offset).split('\n').length;
    throw new UsageError(`is not valid JSON: ${printParseErrorCode(first.error)} in line ${line}`);
  }
  return requireObject(value === undefined ? {} : value);
}

/** How the text of a configuration is formatted. */
interface Layout {
  /** One step of indentation; `undefined` for a text of a single line. */
  readonly unit: string | undefined;
  readonly lineEnd: string;
}

function removeValue(text: string, path: ConfigurationPath): string {
  const item = findItem(text, path);
  const [first, second] = item?.parent?.children ?? [];
  // If jsonc-parser removed the first item, it would move the second item to the line of the opening bracket.
  if (item !== undefined && item === first && second !== undefined) return removeFirst(text, item);
  return applyEdits(text, modify(text, [...path], undefined, {}));
}

function setValue(text: string, path: ConfigurationPath, value: JsonValue): string {
  const root = parseTree(text);
  const layout = detectLayout(text, root);
  if (root === undefined) return `${text}${print(nest(path, value), layout, '')}${layout.lineEnd}`;
  const existing = findNodeAtLocation(root, [...path]);
  if (existing !== undefined) return replaceNode(text, existing, print(value, layout, getLineIndent(text, existing.offset)));
  const depth = path.findIndex((_, position) => findNodeAtLocation(root, path.slice(0, position + 1)) === undefined);
  const container = findNodeAtLocation(root, path.slice(0, depth)) ?? root;
  return append(text, container, { name: path[depth], value: nest(path.slice(depth + 1), value) }, layout);
}

/** Finds the property or the element at a path. */
function findItem(text: string, path: ConfigurationPath): Node | undefined {
  const root = parseTree(text);
  const value = root && findNodeAtLocation(root, [...path]);
  return value?.parent?.type === 'property' ? value.parent : value;
}

/** Removes the first of several items with its comma, and keeps the comments after it. */
function removeFirst(text: string, { offset, length }: Node): string {
  const after = text.slice(offset + length);
  const comma = stripComments(after, ' ').indexOf(',');
  const rest = after.slice(comma + 1).replace(/^[ \t]*(?:\r?\n[ \t]*)?/, '');
  return text.slice(0, offset) + rest;
}

interface Item {
  /** Name of a property; not used for an element, which is always appended. */
  readonly name: string | number | undefined;
  readonly value: JsonValue;
}

/** Appends an item after the last value and its comments. */
function append(text: string, container: Node, { name, value }: Item, layout: Layout): string {
  const end = container.offset + container.length - 1;
  const inside = text.slice(container.offset + 1, end);
  const head = text.slice(0, container.offset + 1 + inside.trimEnd().length);
  const gap = text.slice(head.length, end);
  const last = container.children?.at(-1);
  const outer = getLineIndent(text, container.offset);
  const inner = last === undefined ? outer + (layout.unit ?? '') : getOwnIndent(text, last.offset, outer + (layout.unit ?? ''));
  const label = typeof name === 'string' ? `${JSON.stringify(name)}: ` : '';
  const item = `${label}${print(value, layout, inner)}`;
  const tail = text.slice(end);
  if (layout.unit === undefined) return `${addComma(head, last)}${last === undefined ? '' : ' '}${item}${gap}${tail}`;
  const closing = /[\r\n]/.test(gap) ? gap : `${layout.lineEnd}${outer}`;
  return `${addComma(head, last)}${layout.lineEnd}${inner}${item}${closing}${tail}`;
}

/** Adds a comma after the last node of a container, to whose text an item will be appended, unless it has a comma. */
function addComma(head: string, last: Node | undefined): string {
  if (last === undefined) return head;
  const end = last.offset + last.length;
  const rest = head.slice(end);
  return stripComments(rest).includes(',') ? head : `${head.slice(0, end)},${rest}`;
}

function replaceNode(text: string, { offset, length }: Node, content: string): string {
  return `${text.slice(0, offset)}${content}${text.slice(offset + length)}`;
}

function nest(path: ConfigurationPath, value: JsonValue): JsonValue {
  return path.reduceRight<JsonValue>((inner, step) => (typeof step === 'string' ? { [step]: inner } : [inner]), value);
}

function print(value: JsonValue, { unit, lineEnd }: Layout, indent: string): string {
  return unit === undefined ? JSON.stringify(value) : JSON.stringify(value, undefined, unit).replaceAll('\n', lineEnd + indent);
}

function detectLayout(text: string, root: Node | undefined): Layout {
  const isSingleLine = !text.trimEnd().includes('\n') && (root?.children ?? []).length > 0;
  const [, unit = '  '] = /\n([ \t]+)["{[]/.exec(text) ?? [];
  return { unit: isSingleLine ? undefined : unit, lineEnd: text.includes('\r\n') ? '\r\n' : '\n' };
}

/** Returns the indentation of the line that contains an offset. */
function getLineIndent(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

/** Returns the indentation before an offset. Returns the default in the first line, and if other text precedes the offset. */
function getOwnIndent(text: string, offset: number, otherwise: string): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const before = text.slice(start, offset);
  return start > 0 && /^[ \t]*$/.test(before) ? before : otherwise;
}
