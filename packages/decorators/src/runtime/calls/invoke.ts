import type { InputShape } from '../../compile/compiled-server.ts';
import { ToolError } from '../../results/tool-error.ts';
import { describeIssues } from '../../schema/issues.ts';
import type { Issue, ParseOptions } from '../../schema/value-reader.ts';
import { parseWithSchema } from '../../schema/standard-schema.ts';
import { shorten } from '../../text/shorten.ts';
import { ignoreUnhandled, type RequestContext } from '../context/request-context.ts';
import type { InterceptedCall, Intercepting, Interceptor } from '../hooks/hooks.ts';
import { findSchemaViolation } from '../validation/raw-schema.ts';
import type { ServerRuntime } from './server-runtime.ts';

type Method = (...given: unknown[]) => unknown;

/** A method of the server object or of one of its features. */
export interface OwnedMember {
  readonly member: string;
  readonly place: string;
  /** Property names from the server object to the object that has the method. */
  readonly owner: readonly string[];
  /** Feature that is served in addition to the server object, if the path `owner` starts at this feature. Absent if the path starts at the server object. */
  readonly extraFeature?: object;
  /** Object that has the method, if it is not the object at that path. */
  readonly receiver?: object;
}

/** A primitive whose method can be called. */
interface Callable extends OwnedMember {
  readonly input: InputShape;
  readonly definition: { readonly name: string };
}

/** Arguments of a call as the client sent them. */
export interface CallArguments extends ParseOptions {
  readonly kind: InterceptedCall['kind'];
  readonly arguments: unknown;
}

/**
 * Validates the arguments and calls the method of a primitive inside the interceptors. Calls the most derived override
 * of the method.
 */
export function invoke(
  runtime: ServerRuntime,
  primitive: Callable,
  { kind, ...given }: CallArguments,
  context: RequestContext,
): unknown {
  const { input } = primitive;
  const callWith = (value: unknown): unknown => callMethod(runtime, primitive, { kind, input: value, context });
  if (input.kind === 'raw') return parseRawInput(primitive, input, given).then(callWith);
  if (input.kind === 'standard') return parseStandardInput(primitive, input, given).then(callWith);
  return callWith(parseInput(primitive, given));
}

function parseInput(primitive: Callable, given: Omit<CallArguments, 'kind'>): unknown {
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
    keys.slice(0, 10).map((key) => ({ path: [shorten(key)], message: 'is not known; no arguments are accepted' })),
  );
}

async function parseRawInput(
  primitive: Callable,
  { schema }: Extract<InputShape, { readonly kind: 'raw' }>,
  given: Omit<CallArguments, 'kind'>,
): Promise<unknown> {
  const value = given.arguments ?? {};
  const message = await findSchemaViolation(schema, value);
  if (message !== undefined) throw invalidArguments(primitive, [{ path: [], message }]);
  return value;
}

async function parseStandardInput(
  primitive: Callable,
  { standard }: Extract<InputShape, { readonly kind: 'standard' }>,
  given: Omit<CallArguments, 'kind'>,
): Promise<unknown> {
  const { value, issues } = await parseWithSchema(standard, given.arguments ?? {});
  if (issues !== undefined) throw invalidArguments(primitive, issues);
  return value;
}

function invalidArguments({ definition }: Callable, issues: readonly Issue[]): ToolError {
  const message = `${definition.name} was not run\n${describeIssues(issues)}`;
  return new ToolError('INVALID_ARGUMENTS', message, { data: { issues } });
}

function callMethod(runtime: ServerRuntime, primitive: Callable, given: Omit<InterceptedCall, 'name'>): unknown {
  const { method, owner, path } = findMethod(runtime.server, primitive);
  const { input, context } = given;
  const call = (): unknown => Reflect.apply(method, owner, primitive.input.kind === 'none' ? [context] : [input, context]);
  const interceptors = [...runtime.interceptors, ...path.flatMap(listInterceptors)];
  return interceptors.length === 0 ? call() : runInterceptors(interceptors, { ...given, name: primitive.definition.name }, call);
}

/**
 * Finds the most derived override of a method, the object that has the method, and the objects on the property path to
 * that object.
 */
export function findMethod(
  server: object,
  { member, place, owner: names, extraFeature = server, receiver }: OwnedMember,
): { readonly method: Method; readonly owner: object; readonly path: readonly object[] } {
  const path = [extraFeature];
  let owner = extraFeature;
  for (const name of names) {
    const held: unknown = Reflect.get(owner, name);
    if (typeof held !== 'object' || held === null)
      throw new TypeError(`${place}: the @Feature() property ${names.join('.')} does not contain an object`);
    owner = held;
    path.push(held);
  }
  owner = receiver ?? owner;
  const method: unknown = Reflect.get(owner, member);
  if (!isMethod(method)) throw new TypeError(`${place} is not a method`);
  return { method, owner, path };
}

function isMethod(value: unknown): value is Method {
  return typeof value === 'function';
}

/** Runs the call inside all interceptors, the first one outermost. */
async function runInterceptors(
  interceptors: readonly Interceptor[],
  call: InterceptedCall,
  run: () => unknown,
): Promise<unknown> {
  const [first, ...inner] = interceptors;
  return first === undefined ? run() : first(call, () => ignoreUnhandled(runInterceptors(inner, call, run)));
}

/** Methods named `intercept` by the prototype of the most derived class. */
const interceptMethods = new WeakMap<object, readonly Interceptor[]>();

/** Lists the interceptors that an object and its base classes implement, the most derived first. */
function listInterceptors(owner: object): readonly Interceptor[] {
  const prototype: unknown = Object.getPrototypeOf(owner);
  const inherited = typeof prototype === 'object' && prototype !== null ? readInterceptMethods(prototype) : [];
  const own = getOwnInterceptor(owner);
  const methods = own === undefined ? inherited : [own, ...inherited];
  return methods.map((method) => (call, next) => Reflect.apply(method, owner, [call, next]));
}

function readInterceptMethods(prototype: object): readonly Interceptor[] {
  const known = interceptMethods.get(prototype);
  if (known !== undefined) return known;
  const base: unknown = Object.getPrototypeOf(prototype);
  const inherited = typeof base === 'object' && base !== null ? readInterceptMethods(base) : [];
  const own = getOwnInterceptor(prototype);
  const methods = own === undefined ? inherited : [own, ...inherited];
  interceptMethods.set(prototype, methods);
  return methods;
}

function getOwnInterceptor(holder: object): Interceptor | undefined {
  return Object.hasOwn(holder, 'intercept') && isIntercepting(holder) ? holder.intercept : undefined;
}

function isIntercepting(owner: object): owner is Intercepting {
  return 'intercept' in owner && typeof owner.intercept === 'function';
}
