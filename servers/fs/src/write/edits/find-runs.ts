/** Items by their places. */
export interface Items<Item> {
  readonly length: number;
  readonly at: (place: number) => Item;
}

/**
 * Where all of some items stand one behind the other in others, between two places; none of them overlapping. It takes time in proportion
 * to what there is of both, however often the items repeat themselves (Knuth, Morris and Pratt).
 */
export function* findRuns<Item>(
  items: Items<Item>,
  wanted: Items<Item>,
  { from, to }: { readonly from: number; readonly to: number },
): Generator<number> {
  const borders = bordersOf(wanted);
  let known = 0;
  for (let place = from; place < to; place += 1) {
    const item = items.at(place);
    while (known > 0 && wanted.at(known) !== item) known = borders[known - 1] ?? 0;
    if (wanted.at(known) === item) known += 1;
    if (known < wanted.length) continue;
    yield place + 1 - known;
    known = 0;
  }
}

/** Of each beginning, how much of its own beginning it ends with. */
function bordersOf<Item>({ length, at }: Items<Item>): Uint32Array {
  const borders = new Uint32Array(length);
  let border = 0;
  for (let place = 1; place < length; place += 1) {
    const item = at(place);
    while (border > 0 && at(border) !== item) border = borders[border - 1] ?? 0;
    if (at(border) === item) border += 1;
    borders[place] = border;
  }
  return borders;
}
