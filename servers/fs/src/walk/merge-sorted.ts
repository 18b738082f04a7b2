/** Several lists that are in an order as one; no more of it is put in order than is asked for. */
export function mergeSorted<Item>(
  lists: readonly (readonly Item[])[],
  isBefore: (one: Item, other: Item) => boolean,
): Iterable<Item> {
  const [only = []] = lists;
  if (lists.length <= 1) return only;
  const middle = lists.length >> 1;
  return mergeTwo(mergeSorted(lists.slice(0, middle), isBefore), mergeSorted(lists.slice(middle), isBefore), isBefore);
}

function* mergeTwo<Item>(
  ones: Iterable<Item>,
  others: Iterable<Item>,
  isBefore: (one: Item, other: Item) => boolean,
): Generator<Item> {
  const [left, right] = [ones[Symbol.iterator](), others[Symbol.iterator]()];
  let [one, other] = [left.next(), right.next()];
  while (one.done !== true || other.done !== true) {
    if (other.done === true || (one.done !== true && isBefore(one.value, other.value))) {
      if (one.done !== true) yield one.value;
      one = left.next();
    } else {
      yield other.value;
      other = right.next();
    }
  }
}
