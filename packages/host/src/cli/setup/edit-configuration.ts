import { isDeepStrictEqual } from 'node:util';

import type { JsonValue } from '@org/mcp-decorators';

import { UsageError } from '../../process/usage-error.ts';
import {
  isObject,
  type ConfigurationLanguage,
  type ConfigurationPath,
  type Editor,
  type JsonObject,
} from './configuration-editor.ts';

/** A value to set in a configuration, or to remove from it. */
export interface Change {
  /** Property names from the root of the configuration to the value. */
  readonly path: readonly string[];
  /** If present, `path` names a list, and the value replaces its element with this `id`. */
  readonly id?: string;
  /** Returns the new value for the existing one, which is `undefined` if it is missing; `undefined` removes the value. */
  readonly update: (existing: unknown) => JsonValue | undefined;
}

const BYTE_ORDER_MARK = '\uFEFF';

/** Loads the editor of a language. The libraries are loaded here, because only a few commands need them. */
export async function loadEditor(language: ConfigurationLanguage): Promise<Editor> {
  if (language === 'toml') return (await import('./edit-toml.ts')).tomlEditor;
  return language === 'yaml' ? (await import('./edit-yaml.ts')).yamlEditor : (await import('./edit-json.ts')).jsonEditor;
}

/**
 * Applies changes to a configuration. Returns the same text if it already contains the changes.
 * @throws UsageError for an invalid text, or a value that conflicts with a change; the message completes a sentence that
 * begins with the file name
 */
export function editConfiguration(editor: Editor, text: string, changes: readonly Change[]): string {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  return mark + changes.reduce((edited, change) => applyChange(editor, edited, change), text.slice(mark.length));
}

/** Returns the value at a path, or `undefined`. @throws UsageError if the text is not valid */
export function readValue(editor: Editor, text: string, path: readonly string[]): unknown {
  return getValue(editor.parse(text.replace(BYTE_ORDER_MARK, '')), path);
}

function applyChange(editor: Editor, text: string, { path, id, update }: Change): string {
  const before = editor.parse(text);
  const place = id === undefined ? path : [...path, findPosition(findList(before, path), id)];
  const existing = getValue(before, place);
  const value = update(existing);
  const wanted = withValueAt(before, place, value);
  if (isDeepStrictEqual(existing, value)) return text;
  const edited = value === undefined ? editor.remove(text, place) : editor.set(text, place, value);
  // If a name occurs twice, the edit changes the first value, but a parser reads the last one; so the result is parsed
  // and compared.
  if (!isConfiguration(editor, edited, wanted)) throw new UsageError(`${editor.obstacle} ${path.join('.')}`);
  return edited;
}

/**
 * Whether a text is the wanted configuration. Empty objects at the root are ignored: in TOML, a table that contains only
 * other tables disappears with the last of them.
 */
function isConfiguration(editor: Editor, text: string, wanted: unknown): boolean {
  try {
    return isDeepStrictEqual(withoutEmpty(editor.parse(text)), withoutEmpty(wanted));
  } catch {
    return false;
  }
}

function withoutEmpty(root: unknown): object {
  const entries = isObject(root) ? Object.entries(root) : [];
  return Object.fromEntries(entries.filter(([, value]) => !isObject(value) || Object.keys(value).length > 0));
}

function getValue(root: unknown, path: ConfigurationPath): unknown {
  return path.reduce<unknown>((value, name) => {
    if (Array.isArray(value)) return value[Number(name)];
    return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }, root);
}

function findList(root: JsonObject, path: readonly string[]): readonly unknown[] {
  const list = getValue(root, path);
  if (list === undefined || Array.isArray(list)) return elements(list);
  throw new UsageError(`must contain an array at "${path.join('.')}"`);
}

function elements(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list : [];
}

function findPosition(list: readonly unknown[], id: string): number {
  const position = list.findIndex((element) => isObject(element) && element['id'] === id);
  return position < 0 ? list.length : position;
}

/** Returns a copy of the container with the value at the path, or without it. */
function withValueAt(container: unknown, [step, ...rest]: ConfigurationPath, value: JsonValue | undefined): unknown {
  if (step === undefined) return value;
  if (typeof step === 'number') return elements(container).toSpliced(step, 1, value);
  const object = container === undefined ? {} : container;
  if (!isObject(object)) throw new UsageError(`must have an object as the parent of "${step}"`);
  if (rest.length > 0 || value !== undefined) return { ...object, [step]: withValueAt(object[step], rest, value) };
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== step));
}
