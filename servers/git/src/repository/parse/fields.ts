/** The fields of output that ends each with NUL. */
export function decodeList(stdout: Buffer): readonly string[] {
  const fields = stdout.toString('utf8').split('\0');
  if (fields.at(-1)?.trim() === '') fields.pop();
  return fields;
}

/** Groups of as many fields as one record has; an unfinished last one is left out. */
export function records(fields: readonly string[], size: number): readonly (readonly string[])[] {
  return Array.from({ length: Math.floor(fields.length / size) }, (_, position) =>
    fields.slice(position * size, (position + 1) * size),
  );
}
