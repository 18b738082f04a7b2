/** The types of JSON Schema; an integer is a number without fraction. */
export type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'array' | 'object';

/** One JSON type, several of them, or any JSON value. `array` and `object` may hold anything. */
export type JsonTypes = JsonType | readonly JsonType[] | 'any';
