/** The types of JSON Schema; an integer is a number without fraction. */
export type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'array' | 'object';

/** A value that JSON can carry. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** One JSON type, several of them, or any JSON value. `array` and `object` may hold anything. */
export type JsonTypes = JsonType | readonly JsonType[] | 'any';
