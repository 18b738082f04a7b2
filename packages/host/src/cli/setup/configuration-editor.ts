import type { JsonValue } from '@org/mcp-decorators';

import { UsageError } from '../../process/usage-error.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Property names, optionally followed by a position in a list. The position after the last element appends to the list. */
export type ConfigurationPath = readonly (string | number)[];

/** Languages of configuration files. */
export type ConfigurationLanguage = 'json' | 'toml' | 'yaml';

/** Reads and edits a text of one language. The messages of its `UsageError`s complete a sentence that begins with the file name. */
export interface Editor {
  /** @throws UsageError if the text is not valid */
  readonly parse: (text: string) => JsonObject;
  readonly set: (text: string, path: ConfigurationPath, value: JsonValue) => string;
  readonly remove: (text: string, path: ConfigurationPath) => string;
  /** Beginning of a message about a path that cannot be edited; the path completes the message. */
  readonly obstacle: string;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the root of a configuration. @throws UsageError if it is no object */
export function requireObject(root: unknown): JsonObject {
  if (!isObject(root)) throw new UsageError('must contain an object');
  return root;
}
