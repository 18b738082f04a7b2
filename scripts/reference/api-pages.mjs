import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../workspace/run.mjs';

/** The libraries with an API report. */
const LIBRARIES = ['decorators', 'host', 'roots', 'watch', 'testing'];

/** Returns the pages about the exported names of the libraries, from the API reports and the doc comments of the built packages. */
export function apiPages() {
  return LIBRARIES.map((name) => ({ file: `docs/reference/api/${name}.md`, text: apiPage(name) }));
}

function apiPage(name) {
  const directory = join(ROOT, 'packages', name);
  const { name: packageName, description } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  const report = readFileSync(join(directory, `mcp-${name}.api.md`), 'utf8');
  const [, code] = /```ts\n(.*?)^```/ms.exec(report);
  const comments = readComments(join(directory, 'dist'));
  const [exported, others] = partition(readDeclarations(code), ({ isExported }) => isExported);
  return [
    `# ${packageName}`,
    `${description}. \`npm run reference\` generates this page from the API report.`,
    ...exported.map((declaration) => section(declaration, comments)),
    ...(others.length === 0 ? [] : ['## Names that are not exported', 'The types above refer to these names.']),
    ...others.map(({ text }) => block(text)),
  ]
    .join('\n\n')
    .concat('\n');
}

/** Returns the declarations of a report; overloads of a function are one declaration. */
function readDeclarations(code) {
  const declarations = new Map();
  for (const part of code.split(/^\/\/ @public.*\n/m).slice(1)) {
    const text = part.replaceAll(/^\/\/ .*\n?/gm, '').trim();
    const [, exported, kind, name] =
      /^(export )?(?:abstract )?(?:declare )?(class|interface|type|function|const|enum)\s+([\w$]+)/.exec(text) ?? [];
    if (name === undefined) continue;
    const known = declarations.get(name);
    const joined = known === undefined ? text : `${known.text}\n\n${text}`;
    declarations.set(name, { name, kind, text: joined, isExported: exported !== undefined || known?.isExported === true });
  }
  return [...declarations.values()];
}

function section({ name, kind, text }, comments) {
  return [`## ${name}`, comments.get(name) ?? `The ${kind} \`${name}\`.`, block(text)].join('\n\n');
}

function block(text) {
  return `\`\`\`typescript\n${text}\n\`\`\``;
}

/** Returns the doc comments of exported names in the declaration files of a package. */
function readComments(directory) {
  const files = readdirSync(directory, { recursive: true }).filter((file) => file.endsWith('.d.ts'));
  const found = files.flatMap((file) =>
    Array.from(
      readFileSync(join(directory, file), 'utf8').matchAll(
        /\/\*\*((?:(?!\*\/)[^])*)\*\/\s*export (?:declare )?(?:abstract )?(?:class|interface|type|function|const|enum)\s+([\w$]+)/g,
      ),
      ([, comment, name]) => [name, formatComment(comment)],
    ),
  );
  return new Map(found.reverse());
}

function formatComment(comment) {
  return comment
    .replaceAll(/^\s*\* ?/gm, '')
    .trim()
    .replaceAll(/\{@link ([\w.]+)\}/g, '`$1`')
    .replaceAll(/^@throws /gm, 'Throws ')
    .replaceAll(/^@returns /gm, 'Returns ')
    .replaceAll(/^@param (\S+)(?: -)? /gm, '* `$1`: ')
    .replaceAll(/ @throws /g, ' Throws ')
    .replaceAll(/<(?=\w)/g, '&lt;');
}

function partition(items, test) {
  return [items.filter(test), items.filter((item) => !test(item))];
}
