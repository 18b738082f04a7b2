import { Integer, Text, type TypedField } from '@org/mcp-decorators';

import { MAX_OBJECT_NAME } from '../catalog/object-name.ts';

/** Declares the optional parameter that names a database. */
export function DatabaseField(): TypedField<string, { readonly optional: true }> {
  return Text('Database id; default: the first', { optional: true, maxLength: MAX_OBJECT_NAME });
}

/** Declares the optional parameter that limits the time of a call. */
export function TimeoutField(): TypedField<number, { readonly optional: true }> {
  return Integer('Time limit in ms', { optional: true, min: 1 });
}

/** The parameters of tools that change no data. `--statement-timeout` is the default and the maximum of `timeout_ms`. */
export class DatabaseInput {
  @DatabaseField() database?: string;
  @TimeoutField() timeout_ms?: number;
}
