/** The types of JSON Schema. An integer is a number without a fraction. */
export type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'array' | 'object';

/** A value that JSON can represent. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** One JSON type, several of them, or any JSON value. The contents of `array` and `object` are not checked. */
export type JsonTypes = JsonType | readonly JsonType[] | 'any';
