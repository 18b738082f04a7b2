/** pg's exports, loaded when first needed: it costs as much as the whole start of an idle server. */
export async function loadPg(): Promise<typeof import('pg').default> {
  return (await import('pg')).default;
}
