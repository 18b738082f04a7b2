import { hasSomeType, isJsonPrimitive, type JsonType } from './json-schema.ts';
import type { Shape } from './plan.ts';

/** Parses the text of a command line, a URI or a prompt as a number or a boolean, if the types permit no string. */
export function parseText(text: string, types: readonly JsonType[] = []): unknown {
  if (types.includes('string')) return text;
  if (types.includes('boolean') && /^(true|false)$/.test(text)) return text === 'true';
  const isNumber = types.includes('integer') || types.includes('number');
  return isNumber && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : text;
}

/**
 * Parses JSON that a model wrote inside a string, if the shape permits the parsed value and no string. A number or a boolean must be
 * written exactly as JSON writes it, so that no digit of a number is lost. Returns any other text as it is.
 */
export function parseQuotedJson(text: string, shape: Shape): unknown {
  const types = listTypes(shape);
  if (types === undefined || types.includes('string')) return text;
  try {
    const value: unknown = JSON.parse(text);
    const isExact = !isJsonPrimitive(value) || JSON.stringify(value) === text;
    return value !== null && isExact && hasSomeType(value, types) ? value : text;
  } catch {
    return text;
  }
}

/** Returns the JSON types of a shape; `undefined` if the shape permits every type. */
function listTypes(shape: Shape): readonly JsonType[] | undefined {
  if (shape.kind === 'json') return shape.types;
  return shape.kind === 'list' ? ['array'] : ['object'];
}
