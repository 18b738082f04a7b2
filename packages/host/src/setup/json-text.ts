import { findNodeAtLocation, parseTree, stripComments, type Node } from 'jsonc-parser';

import type { JsonValue } from '@org/mcp-decorators';

/** Names of properties, and at the end perhaps the position in a list; that after the last is where the list grows. */
export type JsonPath = readonly (string | number)[];

/** How a text is laid out. */
interface Layout {
  /** One step of indentation; `undefined` for a text of a single line. */
  readonly unit: string | undefined;
  readonly lineEnd: string;
}

/** A text of JSON with comments that has a value at a place; every other byte of it stays. */
export function withValue(text: string, path: JsonPath, value: JsonValue): string {
  const root = parseTree(text);
  const layout = layoutOf(text, root);
  if (root === undefined) return `${text}${printed(nested(path, value), layout, '')}${layout.lineEnd}`;
  const existing = findNodeAtLocation(root, [...path]);
  if (existing !== undefined) return replaced(text, existing, printed(value, layout, indentAt(text, existing.offset)));
  const depth = path.findIndex((_, position) => findNodeAtLocation(root, path.slice(0, position + 1)) === undefined);
  const container = findNodeAtLocation(root, path.slice(0, depth)) ?? root;
  return appended(text, container, { name: path[depth], value: nested(path.slice(depth + 1), value) }, layout);
}

interface Item {
  /** Of a property; the position of an element is always the last. */
  readonly name: string | number | undefined;
  readonly value: JsonValue;
}

/** Behind what stands last in the container, comments too. */
function appended(text: string, container: Node, { name, value }: Item, layout: Layout): string {
  const end = container.offset + container.length - 1;
  const inside = text.slice(container.offset + 1, end);
  const head = text.slice(0, container.offset + 1 + inside.trimEnd().length);
  const gap = text.slice(head.length, end);
  const last = container.children?.at(-1);
  const outer = indentAt(text, container.offset);
  const inner = last === undefined ? outer + (layout.unit ?? '') : indentOf(text, last.offset, outer + (layout.unit ?? ''));
  const label = typeof name === 'string' ? `${JSON.stringify(name)}: ` : '';
  const item = `${label}${printed(value, layout, inner)}`;
  const tail = text.slice(end);
  if (layout.unit === undefined) return `${withComma(head, last)}${last === undefined ? '' : ' '}${item}${gap}${tail}`;
  const closing = /[\r\n]/.test(gap) ? gap : `${layout.lineEnd}${outer}`;
  return `${withComma(head, last)}${layout.lineEnd}${inner}${item}${closing}${tail}`;
}

/** The beginning of a text, up to where something is appended after a node, with a comma behind that node. */
function withComma(head: string, last: Node | undefined): string {
  if (last === undefined) return head;
  const end = last.offset + last.length;
  const rest = head.slice(end);
  return stripComments(rest).includes(',') ? head : `${head.slice(0, end)},${rest}`;
}

function replaced(text: string, { offset, length }: Node, content: string): string {
  return `${text.slice(0, offset)}${content}${text.slice(offset + length)}`;
}

function nested(path: JsonPath, value: JsonValue): JsonValue {
  return path.reduceRight<JsonValue>((inner, step) => (typeof step === 'string' ? { [step]: inner } : [inner]), value);
}

function printed(value: JsonValue, { unit, lineEnd }: Layout, indent: string): string {
  return unit === undefined ? JSON.stringify(value) : JSON.stringify(value, undefined, unit).replaceAll('\n', lineEnd + indent);
}

function layoutOf(text: string, root: Node | undefined): Layout {
  const isSingleLine = !text.trimEnd().includes('\n') && (root?.children ?? []).length > 0;
  const [, unit = '  '] = /\n([ \t]+)["{[]/.exec(text) ?? [];
  return { unit: isSingleLine ? undefined : unit, lineEnd: text.includes('\r\n') ? '\r\n' : '\n' };
}

/** What the line is indented by that a place is in. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

/** What stands before a place in its line, if that is nothing but indentation. */
function indentOf(text: string, offset: number, otherwise: string): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const before = text.slice(start, offset);
  return start > 0 && /^[ \t]*$/.test(before) ? before : otherwise;
}
