import { dirname } from 'node:path';

/** Returns a line for each group of files of a tree that import each other, directly or through others. */
export function circles({ files }) {
  const search = { files, order: new Map(), lowest: new Map(), open: [], found: [] };
  for (const file of files.keys()) if (!search.order.has(file)) visit(search, file);
  return search.found.map((circle) => circle.toReversed().join(' → '));
}

/** Returns a line for each pair of folders of a tree whose files import each other in both directions. */
export function twoWayFolders({ files }) {
  const examples = new Map();
  for (const [file, { imports }] of files)
    for (const imported of imports.filter((path) => files.has(path) && dirname(path) !== dirname(file)))
      examples.set(`${dirname(file)} ${dirname(imported)}`, `${file} → ${imported}`);
  return [...examples].flatMap(([pair, example]) => {
    const [one, other] = pair.split(' ');
    const back = examples.get(`${other} ${one}`);
    return back === undefined || one > other ? [] : [`${one} ↔ ${other} (${example}; ${back})`];
  });
}

/** Visits a file in Tarjan's search for strongly connected components, and adds the circles to `found`. */
function visit(search, file) {
  const { files, order, lowest, open, found } = search;
  order.set(file, order.size);
  lowest.set(file, order.get(file));
  open.push(file);
  for (const imported of files.get(file).imports.filter((path) => files.has(path))) {
    if (!order.has(imported)) visit(search, imported);
    if (open.includes(imported)) lowest.set(file, Math.min(lowest.get(file), lowest.get(imported)));
  }
  if (lowest.get(file) !== order.get(file)) return;
  const component = open.splice(open.indexOf(file));
  if (component.length > 1 || files.get(file).imports.includes(file)) found.push(component);
}
