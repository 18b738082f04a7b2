/** Loads pg on first use, because loading pg takes as long as the whole start of an idle server. */
export async function loadPg(): Promise<typeof import('pg').default> {
  return (await import('pg')).default;
}
