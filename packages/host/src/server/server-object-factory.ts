import type { Interceptor } from '@org/mcp-decorators';

import type { ServerOptions } from '../options/server-options.ts';
import { disposeServer } from '../process/server-object.ts';

/** Features and interceptors that a program adds to its server. */
export interface ProgramSettings {
  /** Objects whose annotated methods are served in addition. They are opened after the server object. Default: none. */
  readonly features?: readonly object[];
  /**
   * Interceptors of every call. The first one is the outermost, and all of them are outside the `intercept` methods of the
   * server object. Default: none.
   */
  readonly interceptors?: readonly Interceptor[];
}

/** {@link ProgramSettings} with a function that creates the server object. */
export interface FactorySettings<Options> extends ProgramSettings {
  /**
   * Creates the server object from the options, for instance with connections that it opens. The object must be an
   * instance of the class that is passed to `runServer`.
   */
  readonly create: (options: Options) => object | Promise<object>;
}

/**
 * Creates the server object of a program. A given object is returned unchanged.
 *
 * @throws TypeError if the created object has another class
 */
export async function createServerObject(
  target: object,
  options: ServerOptions,
  { create }: Partial<FactorySettings<never>>,
): Promise<object> {
  if (typeof target !== 'function') return target;
  const created: unknown = await (create === undefined
    ? Reflect.construct(target, [options])
    : Reflect.apply(create, undefined, [options]));
  if (created instanceof target) return created;
  if (typeof created === 'object' && created !== null) await disposeServer(created);
  throw new TypeError(`create must return an object of the class ${target.name}`);
}
