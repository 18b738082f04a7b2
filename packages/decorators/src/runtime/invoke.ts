import type { InputShape } from '../compile/input-schema.ts';
import { ToolError } from '../errors.ts';
import type { Issue, ReadingOptions } from '../schema/instantiate.ts';
import type { RequestContext } from './request-context.ts';

/** A primitive whose method is to be called. */
export interface Callable {
  readonly member: string;
  readonly place: string;
  readonly input: InputShape;
  readonly definition: { readonly name: string };
}

/** Calls the method behind a primitive with its validated input; whoever overrides it is called. */
export async function invoke(
  server: object,
  primitive: Callable,
  given: { readonly arguments: unknown } & ReadingOptions,
  context: RequestContext,
): Promise<unknown> {
  const method: unknown = Reflect.get(server, primitive.member);
  if (typeof method !== 'function') throw new TypeError(`${primitive.place} is not a method`);
  if (primitive.input.kind === 'none') {
    refuseArguments(primitive, given.arguments);
    return Reflect.apply(method, server, [context]);
  }
  const parsed = primitive.input.schema.parse(given.arguments ?? {}, given);
  if (parsed.issues !== undefined) throw invalidArguments(primitive, parsed.issues);
  return Reflect.apply(method, server, [parsed.value, context]);
}

function refuseArguments(primitive: Callable, given: unknown): void {
  const keys = typeof given === 'object' && given !== null ? Object.keys(given) : [];
  if (keys.length > 0)
    throw invalidArguments(
      primitive,
      keys.map((key) => ({ path: [key], message: 'is not known; there are no arguments' })),
    );
}

/** More mistakes than this are counted, not named: a call can hold as many as its 10 MiB. */
const NAMED_ISSUES = 50;

function invalidArguments({ definition }: Callable, issues: readonly Issue[]): ToolError {
  const named = issues.slice(0, NAMED_ISSUES);
  const lines = named.map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`));
  if (issues.length > named.length) lines.push(`… and ${issues.length - named.length} more`);
  return new ToolError('INVALID_ARGUMENTS', `${definition.name} was not run\n${lines.join('\n')}`, { data: { issues: named } });
}
