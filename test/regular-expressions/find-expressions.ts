import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { parseAst } from 'rolldown/parseAst';

/** A regular expression of a source file. */
export interface SourceExpression {
  /** File and line. */
  readonly place: string;
  readonly source: string;
  readonly flags: string;
  /** Whether the expression is the separator of `split`, which tries it at every position, whatever the flags. */
  readonly splits: boolean;
}

/** The regular expressions of the files, and the file of each `RegExp` call whose source is known only at run time. */
export interface FoundExpressions {
  readonly expressions: readonly SourceExpression[];
  readonly dynamic: readonly string[];
}

interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

/** Finds every regular expression in the sources and the views of the packages and servers. */
export async function findExpressions(workspace: string): Promise<FoundExpressions> {
  const expressions: SourceExpression[] = [];
  const dynamic: string[] = [];
  for (const file of await sourceFiles(workspace)) {
    const found = expressionsIn(file, await readFile(path.join(workspace, file), 'utf8'));
    expressions.push(...found.expressions);
    dynamic.push(...found.dynamic);
  }
  return { expressions, dynamic };
}

async function sourceFiles(workspace: string): Promise<readonly string[]> {
  const files: string[] = [];
  for (const kind of ['packages', 'servers'])
    for (const name of await readdir(path.join(workspace, kind)))
      for (const folder of ['src', 'views']) {
        const directory = path.join(kind, name, folder);
        const names = await readdir(path.join(workspace, directory), { recursive: true }).catch(() => []);
        files.push(...names.filter((file) => /\.[cm]?tsx?$/.test(file)).map((file) => path.join(directory, file)));
      }
  return files.toSorted();
}

/** Finds the expressions of one file. */
export function expressionsIn(file: string, text: string): FoundExpressions {
  const constants = new Map<string, SyntaxNode>();
  const literals: (readonly [node: SyntaxNode, parent: SyntaxNode | undefined])[] = [];
  const built: SyntaxNode[] = [];
  visit(parseAst(text, { lang: file.endsWith('.tsx') ? 'tsx' : 'ts' }, file), undefined, (node, parent) => {
    if (isExpression(node)) literals.push([node, parent]);
    if (node.type === 'NewExpression' || node.type === 'CallExpression')
      if (nameOf(node['callee']) === 'RegExp') built.push(node);
    if (node.type === 'VariableDeclarator' && isNode(node['init'])) constants.set(nameOf(node['id']) ?? '', node['init']);
  });
  const placeOf = ({ start }: SyntaxNode): string => `${file}:${text.slice(0, start).split('\n').length}`;
  const expressions = literals.map(([node, parent]) => {
    const { pattern, flags } = node['regex'] as { readonly pattern: string; readonly flags: string };
    return { place: placeOf(node), source: pattern, flags, splits: isSplit(parent) };
  });
  const dynamic: string[] = [];
  for (const node of built) {
    const [source, flags] = (node['arguments'] as readonly SyntaxNode[]).map((argument) => constantText(argument, constants));
    if (source === undefined) dynamic.push(file);
    else expressions.push({ place: placeOf(node), source, flags: flags ?? '', splits: false });
  }
  return { expressions, dynamic };
}

function isExpression({ type, regex }: SyntaxNode): boolean {
  return type === 'Literal' && typeof regex === 'object' && regex !== null;
}

function isSplit(parent: SyntaxNode | undefined): boolean {
  if (parent?.type !== 'CallExpression') return false;
  const { callee } = parent as unknown as { readonly callee: SyntaxNode };
  return callee.type === 'MemberExpression' && nameOf(callee['property']) === 'split';
}

function visit(value: unknown, parent: SyntaxNode | undefined, see: (node: SyntaxNode, parent?: SyntaxNode) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, parent, see);
  else if (isNode(value)) {
    see(value, parent);
    for (const child of Object.values(value)) visit(child, value, see);
  }
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function nameOf(value: unknown): string | undefined {
  return isNode(value) && value.type === 'Identifier' ? String(value['name']) : undefined;
}

type Constants = ReadonlyMap<string, SyntaxNode>;

/**
 * Returns the constant text of a string, template, concatenation or joined array, or of the `source` of a named regular
 * expression. Also resolves names of such constants. Returns `undefined` for any other node.
 */
function constantText(node: unknown, constants: Constants): string | undefined {
  return isNode(node) ? CONSTANT[node.type]?.(node, constants) : undefined;
}

const CONSTANT: Readonly<Record<string, (node: SyntaxNode, constants: Constants) => string | undefined>> = {
  Literal: ({ value }) => (typeof value === 'string' ? value : undefined),
  Identifier: (node, constants) => constantText(constants.get(nameOf(node) ?? ''), constants),
  TemplateLiteral: (node, constants) => templateText(node, 'cooked', constants),
  TaggedTemplateExpression: ({ quasi }, constants) => (isNode(quasi) ? templateText(quasi, 'raw', constants) : undefined),
  BinaryExpression: ({ left, right }, constants) => allOf([constantText(left, constants), constantText(right, constants)], ''),
  CallExpression: joinedText,
  MemberExpression: ({ object, property }, constants) => {
    const named = constants.get(nameOf(object) ?? '');
    const { pattern } = (named?.['regex'] ?? {}) as { readonly pattern?: string };
    return nameOf(property) === 'source' ? pattern : undefined;
  },
};

function templateText(node: SyntaxNode, form: 'cooked' | 'raw', constants: Constants): string | undefined {
  const quasis = node['quasis'] as readonly { readonly value: Readonly<Record<string, string>> }[];
  const values = node['expressions'] as readonly SyntaxNode[];
  const parts = quasis.flatMap(({ value }, index) => {
    const inserted = values[index];
    return inserted === undefined ? [value[form]] : [value[form], constantText(inserted, constants)];
  });
  return allOf(parts, '');
}

function joinedText(node: SyntaxNode, constants: Constants): string | undefined {
  const callee = node['callee'] as SyntaxNode;
  const items = (callee['object'] as SyntaxNode | undefined)?.['elements'];
  const [separator] = node['arguments'] as readonly SyntaxNode[];
  if (nameOf(callee['property']) !== 'join' || !Array.isArray(items)) return undefined;
  return allOf(
    items.map((item) => constantText(item, constants)),
    constantText(separator, constants) ?? ',',
  );
}

function allOf(parts: readonly (string | undefined)[], separator: string): string | undefined {
  return parts.includes(undefined) ? undefined : parts.join(separator);
}
