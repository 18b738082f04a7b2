import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The codes with which a tool may fail, as the operation of its name documents them by `@throws`; and whether those of paths come
 * to them.
 */
export function failuresOf(operations, tool) {
  const declarations = readIfExists(join(operations, `${tool.replaceAll('_', '-')}.d.ts`));
  const camel = tool.replaceAll(/_(.)/g, (_, letter) => letter.toUpperCase());
  const [before] = declarations.split(new RegExp(`^export declare (?:async )?function ${camel}\\b`, 'm'));
  const [, thrown = ''] = /@throws ToolError ((?:(?!@throws)[\s\S])*)\*\/\s*$/.exec(before) ?? [];
  return { codes: [...new Set(thrown.match(/\b[A-Z]{2}[A-Z_]*\b/g) ?? [])], ofPaths: thrown.includes('`Roots.') };
}

function readIfExists(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
