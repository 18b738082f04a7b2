/** A name as SQL spells it: `orders`, `shop.orders`, `"Sales"."Q1 orders"`. */
export interface ObjectName {
  readonly schema: string | undefined;
  readonly name: string;
}

/** Reads a name; its last part is the object, the one before it the schema. */
export function parseObjectName(text: string): ObjectName {
  const parts = Array.from(text.trim().matchAll(/"((?:[^"]|"")+)"|([^."]+)/g), ([, quoted, plain = '']) =>
    quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'),
  );
  return { schema: parts.at(-2), name: parts.at(-1) ?? '' };
}
