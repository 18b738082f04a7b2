import { classOf, isConstructor, type Constructor } from '../metadata/lineage.ts';
import { compilePrimitives, type Primitives } from './compile-primitives.ts';
import { compositeOf, hasFeatures } from './composite.ts';
import { indexPrimitives } from './index-primitives.ts';
import type { CompiledServer } from './primitives.ts';
import { Problems } from './problems.ts';
import { serverOptions } from './server-options.ts';

/** How a server is compiled. */
export interface CompileOptions {
  /**
   * The same server was compiled before, without problems, by whatever built the program: its input and output classes are not looked
   * at before they are used. Default: false.
   */
  readonly isKnownToCompile?: boolean;
}

/** By class; by object where it holds features. */
const compiled = new WeakMap<object, CompiledServer>();

/**
 * Compiles an annotated class, or an object of one, once; and with it the features that are served besides, which are objects too.
 *
 * A class has the features that its properties declare, an object those that it really holds; they are read when it is compiled
 * first.
 *
 * @throws DefinitionError with everything that is wrong, TypeError for what is neither a class nor an object of one
 */
export function compileServer(server: object, features: readonly object[] = [], options: CompileOptions = {}): CompiledServer {
  const target = isConstructor(server) ? server : classOf(server);
  if (target === undefined) throw new TypeError('a server is an instance of a class');
  const own = compileOwn(server, target, options.isKnownToCompile !== true);
  return features.length === 0 ? own : withFeatures(own, features);
}

function compileOwn(server: object, target: Constructor, isThorough: boolean): CompiledServer {
  const object = server === target || !hasFeatures(target) ? undefined : server;
  const known = compiled.get(object ?? target);
  if (known !== undefined) return known;
  const result = withoutProblems(isThorough, (problems) => {
    const primitives = compilePrimitives(compositeOf(target, object, problems), problems);
    return { ...serverOptions(target, problems), ...indexPrimitives([primitives], problems) };
  });
  compiled.set(object ?? target, result);
  return result;
}

/** The tables of the server know nothing of them. */
function withFeatures(own: CompiledServer, features: readonly object[]): CompiledServer {
  const { tools, resources, prompts } = own;
  const first = { ...own, tools: [...tools.values()], resources: [...resources.values()], prompts: [...prompts.values()] };
  return withoutProblems(true, (problems) => ({
    ...own,
    ...indexPrimitives([first, ...features.map((feature) => featurePrimitives(feature, problems))], problems),
  }));
}

function featurePrimitives(feature: object, problems: Problems): Primitives {
  const target = classOf(feature);
  if (target === undefined) throw new TypeError('a feature is an instance of a class');
  const { tools, resources, templates, prompts, completions } = compilePrimitives(
    compositeOf(target, feature, problems),
    problems,
  );
  const besides = <Primitive>(primitive: Primitive): Primitive => ({ ...primitive, besides: feature });
  return {
    tools: tools.map(besides),
    resources: resources.map(besides),
    templates: templates.map(besides),
    prompts: prompts.map(besides),
    completions: new Map([...completions].map(([key, completion]) => [key, besides(completion)])),
  };
}

function withoutProblems<Outcome>(isThorough: boolean, compile: (problems: Problems) => Outcome): Outcome {
  const problems = new Problems({ isThorough });
  const outcome = compile(problems);
  problems.assertNone();
  return outcome;
}
