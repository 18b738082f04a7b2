import type { Place } from '@org/mcp-roots';

/** Does something with several places, which are open meanwhile. */
export async function withPlaces<Value>(
  paths: readonly string[],
  open: (path: string) => Promise<Place>,
  work: (places: readonly Place[]) => Promise<Value>,
): Promise<Value> {
  const places: Place[] = [];
  try {
    for (const path of paths) places.push(await open(path));
    return await work(places);
  } finally {
    for (const place of places) await place[Symbol.asyncDispose]();
  }
}
