import type { InputShape } from '../compile/input-schema.ts';
import { ToolError } from '../errors.ts';
import type { Issue, ReadingOptions } from '../schema/instantiate.ts';
import { shorten } from '../shorten.ts';
import type { RequestContext } from './request-context.ts';

/** A primitive whose method is to be called. */
export interface Callable {
  readonly member: string;
  readonly owner: readonly string[];
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
  const method = methodOf(server, primitive);
  if (primitive.input.kind === 'none') {
    refuseArguments(primitive, given.arguments);
    return method(context);
  }
  if (primitive.input.kind === 'raw') return method(given.arguments ?? {}, context);
  const parsed = primitive.input.schema.parse(given.arguments ?? {}, given);
  if (parsed.issues !== undefined) throw invalidArguments(primitive, parsed.issues);
  return method(parsed.value, context);
}

/** The method of a member, by whichever class overrides it last, bound to the server or the feature that has it. */
export function methodOf(
  server: object,
  { member, owner, place }: Pick<Callable, 'member' | 'owner' | 'place'>,
): (...given: unknown[]) => unknown {
  const receiver = owner.reduce<unknown>(
    (holder, property) => (isObject(holder) ? Reflect.get(holder, property) : undefined),
    server,
  );
  const method: unknown = isObject(receiver) ? Reflect.get(receiver, member) : undefined;
  if (!isMethod(method)) throw new TypeError(`${place} is not a method`);
  return (...given) => Reflect.apply(method, receiver, given);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isMethod(value: unknown): value is (...given: unknown[]) => unknown {
  return typeof value === 'function';
}

function refuseArguments(primitive: Callable, given: unknown): void {
  const keys = typeof given === 'object' && given !== null ? Object.keys(given) : [];
  if (keys.length > 0)
    throw invalidArguments(
      primitive,
      keys.slice(0, 10).map((key) => ({ path: [shorten(key)], message: 'is not known; there are no arguments' })),
    );
}

function invalidArguments({ definition }: Callable, issues: readonly Issue[]): ToolError {
  const lines = issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`));
  return new ToolError('INVALID_ARGUMENTS', `${definition.name} was not run\n${lines.join('\n')}`, { data: { issues } });
}
