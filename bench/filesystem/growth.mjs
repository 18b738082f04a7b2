import { join } from 'node:path';

import { byTool } from '../measuring/measure.mjs';
import { growthRows } from '../measuring/growth-rows.mjs';
import { FILES, LISTED, makeList, makeTree, NEEDLE } from './fixtures.mjs';

const STEPS = [100, 10, 1];
/** Files per directory, as in the large tree. */
const PER_DIRECTORY = 16;

/** Measures a list, a walk and a search of 1, 10 and 100 times the size. */
export function growthOfFiles({ ours }, ground, rounds) {
  const lists = Object.fromEntries(STEPS.map((step) => [LISTED / step, directoryOf(ground, 'list', LISTED / step)]));
  const trees = Object.fromEntries(STEPS.map((step) => [FILES / step, directoryOf(ground, 'tree', FILES / step)]));
  const by = (places, tool, args) =>
    Object.fromEntries(Object.entries(places).map(([size, path]) => [size, byTool(ours, tool, { path, ...args })]));
  const works = [
    { name: 'list_directory', unit: 'entries', ways: by(lists, 'list_directory', { limit: LISTED }) },
    { name: 'search_files', unit: 'files', ways: by(trees, 'search_files', { pattern: '**/a*.spec.ts' }) },
    { name: 'search_content', unit: 'files', ways: by(trees, 'search_content', { pattern: NEEDLE }) },
  ];
  return growthRows(works, rounds);
}

/** Returns the largest list or tree of the ground, or creates a smaller one beside it. */
function directoryOf(ground, kind, size) {
  if (size === (kind === 'list' ? LISTED : FILES)) return ground[kind];
  const place = join(ground.root, `${kind}-${size}`);
  if (kind === 'list') makeList(place, size);
  else makeTree(place, { files: size, directories: Math.ceil(size / PER_DIRECTORY) });
  return place;
}
