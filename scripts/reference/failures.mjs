import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../workspace/run.mjs';

/** Matches an error code, and other words in capitals, such as COPY. */
const WORD = /\b[A-Z]{2}[A-Z_]*\b/g;

const ERRORS = readFileSync(join(ROOT, 'docs/reference/errors.md'), 'utf8');

const isCode = (word) => ERRORS.includes(`\`${word}\``);

const FUNCTION = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*export declare (?:async )?function (\w+)/g;

/**
 * Returns a function that returns the codes with which a tool of a built server may fail. The codes are in the `@throws` of a
 * function in the file of the tool, such as `git-status.ts` below a directory `tools` for `git_status`. If several functions have
 * a `@throws`, the one with the name of the tool is preferred, and then one whose name contains the name of the tool.
 */
export function readFailures(directory) {
  const files = readDeclarations(directory);
  const comments = new Map(files.flatMap(({ functions }) => functions));
  return (tool) => {
    const end = `/${tool.replaceAll('_', '-')}.d.ts`;
    const own = files.find(({ file }) => `/${file}`.includes('/tools/') && file.endsWith(end))?.functions ?? [];
    const camel = tool.replaceAll(/_(.)/g, (_, letter) => letter.toUpperCase()).toLowerCase();
    const failing = own.filter(([, comment]) => comment.includes('@throws')).map(([name]) => name);
    const isExact = (name) => name.toLowerCase() === camel;
    const isLonger = (name) => name.toLowerCase().includes(camel);
    return failuresIn(comments, failing.find(isExact) ?? failing.find(isLonger) ?? failing[0]);
  };
}

/** Returns the codes in the `@throws` of a function, and the codes of all functions that the `@throws` names in backticks. */
function failuresIn(comments, name) {
  const [, thrown = ''] = /@throws ToolError ((?:(?!@throws)[\s\S])*)/.exec(comments.get(name) ?? '') ?? [];
  const referenced = Array.from(thrown.matchAll(/`(\w+)`/g), ([, other]) => other).filter((other) => comments.has(other));
  const inherited = referenced.map((other) => failuresIn(comments, other));
  return {
    codes: [...new Set([...(thrown.match(WORD) ?? []).filter(isCode), ...inherited.flatMap(({ codes }) => codes)])],
    ofPaths: thrown.includes('`Roots.') || inherited.some(({ ofPaths }) => ofPaths),
  };
}

function readDeclarations(directory) {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.d.ts'));
  return files.toSorted().map((file) => {
    const text = readFileSync(join(directory, file), 'utf8');
    return { file, functions: Array.from(text.matchAll(FUNCTION), ([, comment, name]) => [name, comment]) };
  });
}
