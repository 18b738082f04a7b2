import { isDeepStrictEqual } from 'node:util';

import type { JsonValue } from '@org/mcp-decorators';
import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';

import { UsageError } from '../usage-error.ts';
import { withValue, type JsonPath } from './json-text.ts';

/** A value that a configuration has to have. */
export interface Change {
  /** The names that lead to it. */
  readonly path: readonly string[];
  /** There, a list: the value is its element of this `id`. */
  readonly id?: string;
  readonly value: JsonValue;
}

type JsonObject = Readonly<Record<string, unknown>>;

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * The text of a configuration, JSON with comments, with the changes; all else in it stays, byte for byte. The same text if it has
 * them already.
 *
 * @throws UsageError for what is not JSON, or has something else where the changes belong; its message goes on after a file's name
 */
export function editConfiguration(text: string, changes: readonly Change[]): string {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  return mark + changes.reduce(changed, text.slice(mark.length));
}

function changed(text: string, { path, id, value }: Change): string {
  const before = read(text);
  const place = id === undefined ? path : [...path, positionIn(listAt(before, path), id)];
  const wanted = placed(before, place, value);
  if (isDeepStrictEqual(before, wanted)) return text;
  const edited = withValue(text, place, value);
  // Of a name that stands there twice, the last is read and the first was changed.
  if (!isDeepStrictEqual(read(edited), wanted)) throw new UsageError(`has a name twice on the way to ${path.join('.')}`);
  return edited;
}

function read(text: string): JsonObject {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [first] = errors;
  if (first !== undefined) {
    const line = text.slice(0, first.offset).split('\n').length;
    throw new UsageError(`is not JSON: ${printParseErrorCode(first.error)} in line ${line}`);
  }
  const root = value === undefined ? {} : value;
  if (!isObject(root)) throw new UsageError('does not hold an object');
  return root;
}

function listAt(root: JsonObject, path: readonly string[]): readonly unknown[] {
  const list = path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), root);
  if (list === undefined || Array.isArray(list)) return elements(list);
  throw new UsageError(`has something else than a list as "${path.join('.')}"`);
}

function elements(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list : [];
}

function positionIn(list: readonly unknown[], id: string): number {
  const position = list.findIndex((element) => isObject(element) && element['id'] === id);
  return position < 0 ? list.length : position;
}

/** A copy that has the value at the place. */
function placed(container: unknown, [step, ...rest]: JsonPath, value: JsonValue): unknown {
  if (step === undefined) return value;
  if (typeof step === 'number') return elements(container).toSpliced(step, 1, value);
  const object = container === undefined ? {} : container;
  if (!isObject(object)) throw new UsageError(`has something else than an object around "${step}"`);
  return { ...object, [step]: placed(object[step], rest, value) };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
