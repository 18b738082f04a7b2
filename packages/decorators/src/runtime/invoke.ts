import type { InputShape } from '../compile/input-schema.ts';
import { ToolError } from '../errors.ts';
import type { Issue, ReadingOptions } from '../schema/instantiate.ts';
import { shorten } from '../shorten.ts';
import { describeIssues } from './describe-issues.ts';
import { interceptorOf, runWithin, type InterceptedCall, type Interceptor } from './interceptor.ts';
import { violationOf } from './raw-schema.ts';
import type { RequestContext } from './request-context.ts';
import type { Served } from './served.ts';

type Method = (...given: unknown[]) => unknown;

/** A method of the server object, or of a feature within it. */
export interface Owned {
  readonly member: string;
  readonly place: string;
  /** Properties that lead from the server object to the one whose method it is. */
  readonly owner: readonly string[];
  /** The object that they lead from instead. */
  readonly besides?: object;
}

/** A primitive whose method is to be called. */
interface Callable extends Owned {
  readonly input: InputShape;
  readonly definition: { readonly name: string };
}

/** What a client gave for a call. */
export interface Given extends ReadingOptions {
  readonly kind: InterceptedCall['kind'];
  readonly arguments: unknown;
}

/** Calls the method behind a primitive with its validated input, within the interceptors; whoever overrides it is called. */
export function invoke(served: Served, primitive: Callable, { kind, ...given }: Given, context: RequestContext): unknown {
  const { input } = primitive;
  const proceed = (value: unknown): unknown => run(served, primitive, { kind, input: value, context });
  return input.kind === 'raw' ? rawInputOf(primitive, input, given).then(proceed) : proceed(inputOf(primitive, given));
}

function run(served: Served, primitive: Callable, given: Omit<InterceptedCall, 'name'>): unknown {
  const { method, owner, path } = methodOf(served.server, primitive);
  const { input, context } = given;
  const call = (): unknown => Reflect.apply(method, owner, primitive.input.kind === 'none' ? [context] : [input, context]);
  const interceptors = [...served.interceptors, ...interceptorsOn(path)];
  return interceptors.length === 0 ? call() : runWithin(interceptors, { ...given, name: primitive.definition.name }, call);
}

/** The method of a member, by whichever class overrides it last, and the objects on the way to it. */
export function methodOf(
  server: object,
  { member, place, owner: names, besides = server }: Owned,
): { readonly method: Method; readonly owner: object; readonly path: readonly object[] } {
  const path = [besides];
  let owner = besides;
  for (const name of names) {
    const held: unknown = Reflect.get(owner, name);
    if (typeof held !== 'object' || held === null) throw new TypeError(`${place}: there is no feature in ${names.join('.')}`);
    owner = held;
    path.push(held);
  }
  const method: unknown = Reflect.get(owner, member);
  if (!isMethod(method)) throw new TypeError(`${place} is not a method`);
  return { method, owner, path };
}

function interceptorsOn(path: readonly object[]): readonly Interceptor[] {
  return path.flatMap((owner) => interceptorOf(owner) ?? []);
}

function isMethod(value: unknown): value is Method {
  return typeof value === 'function';
}

async function rawInputOf(
  primitive: Callable,
  { schema }: Extract<InputShape, { readonly kind: 'raw' }>,
  given: Omit<Given, 'kind'>,
): Promise<unknown> {
  const value = given.arguments ?? {};
  const message = await violationOf(schema, value);
  if (message !== undefined) throw invalidArguments(primitive, [{ path: [], message }]);
  return value;
}

function inputOf(primitive: Callable, given: Omit<Given, 'kind'>): unknown {
  const { input } = primitive;
  if (input.kind !== 'class') return refuseArguments(primitive, given.arguments);
  const parsed = input.schema.parse(given.arguments ?? {}, given);
  if (parsed.issues !== undefined) throw invalidArguments(primitive, parsed.issues);
  return parsed.value;
}

function refuseArguments(primitive: Callable, given: unknown): undefined {
  const keys = typeof given === 'object' && given !== null ? Object.keys(given) : [];
  if (keys.length === 0) return undefined;
  throw invalidArguments(
    primitive,
    keys.slice(0, 10).map((key) => ({ path: [shorten(key)], message: 'is not known; there are no arguments' })),
  );
}

function invalidArguments({ definition }: Callable, issues: readonly Issue[]): ToolError {
  const message = `${definition.name} was not run\n${describeIssues(issues)}`;
  return new ToolError('INVALID_ARGUMENTS', message, { data: { issues } });
}
