import { posix } from 'node:path';

import { Visitor } from 'rolldown/utils';

const MAX_ANCESTORS = 1;

/**
 * Returns a line for each class of a server that has more than one ancestor in this repository. The classes of options in
 * `packages/host` are not counted.
 */
export function classesWithTowers(trees) {
  const sources = trees.filter(({ folder }) => folder.endsWith('/src'));
  const classes = new Map(sources.flatMap(({ files }) => [...files].flatMap(([file, { program }]) => declared(file, program))));
  const byName = new Map([...classes.values()].map((each) => [`${packageOf(each.file)} ${each.name}`, each]));
  return [...classes.values()]
    .filter(({ file }) => file.startsWith('servers/'))
    .map((each) => [each, ancestorsOf(each, { classes, byName }).filter((ancestor) => !isHostOptions(ancestor))])
    .filter(([, ancestors]) => ancestors.length > MAX_ANCESTORS)
    .map(([{ file, name }, ancestors]) => `${file}: ${[name, ...ancestors.map((ancestor) => ancestor.name)].join(' → ')}`);
}

/**
 * Returns a pair for each class of a file: the key `FILE NAME`, and the class. `parent` contains the name of the superclass; if
 * the superclass is imported, the name in its own file, and the source of the import.
 */
function declared(file, program) {
  if (program === undefined) return [];
  const imported = new Map();
  const found = [];
  new Visitor({
    ImportDeclaration({ source, specifiers }) {
      for (const { local, imported: original } of specifiers)
        imported.set(local.name, { source: source.value, name: original?.name ?? local.name });
    },
    ClassDeclaration({ id, superClass }) {
      if (id !== null)
        found.push({ file, name: id.name, parent: superClass?.type === 'Identifier' ? superClass.name : undefined });
    },
  }).visit(program);
  return found.map(({ parent, ...rest }) => [
    `${file} ${rest.name}`,
    { ...rest, parent: imported.get(parent) ?? (parent && { name: parent }) },
  ]);
}

function ancestorsOf({ file, parent }, index) {
  const ancestor = parent && resolve(file, parent, index);
  return ancestor === undefined ? [] : [ancestor, ...ancestorsOf(ancestor, index)];
}

function resolve(file, { source, name }, { classes, byName }) {
  if (source === undefined) return classes.get(`${file} ${name}`);
  if (source.startsWith('.')) return classes.get(`${posix.join(posix.dirname(file), source)} ${name}`);
  const [, folder] = /^@org\/mcp-([^/]+)$/.exec(source) ?? [];
  return byName.get(`packages/${folder} ${name}`) ?? byName.get(`servers/${folder} ${name}`);
}

function packageOf(file) {
  return file.split('/').slice(0, 2).join('/');
}

function isHostOptions({ file, name }) {
  return file.startsWith('packages/host/') && name.endsWith('Options');
}
