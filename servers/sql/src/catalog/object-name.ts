/** A name as SQL spells it: `orders`, `shop.orders`, `"Sales"."Q1 orders"`, `shop.total(integer)`. */
export interface ObjectName {
  readonly schema: string | undefined;
  readonly name: string;
  /** All of it, where it says which of several functions is meant. */
  readonly signature?: string | undefined;
  /** What it is the name of, where that is known. */
  readonly of?: 'schema' | 'relation' | undefined;
}

/** Reads a name; its last part is the object, the one before it the schema. */
export function parseObjectName(text: string): ObjectName {
  const signature = /^((?:"(?:[^"]|"")+"|[^"(])+)\(.*\)\s*$/s.exec(text);
  const parts = Array.from((signature?.[1] ?? text).trim().matchAll(/"((?:[^"]|"")+)"|([^."]+)/g), ([, quoted, plain = '']) =>
    quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'),
  );
  return { schema: parts.at(-2), name: parts.at(-1) ?? '', ...(signature !== null && { signature: text.trim() }) };
}
