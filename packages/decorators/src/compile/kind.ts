import type { MemberKind } from '../metadata/annotation.ts';
import type { McpServerOptions, OverrideTable } from '../metadata/options.ts';
import type { OptionsOf } from './member.ts';
import { PROMPT_CHECKS, RESOURCE_CHECKS, TOOL_CHECKS, type Checks } from './option-checks.ts';

/** What is particular to tools, to resources and to prompts on the way from annotations to definitions. */
export interface Kind<Name extends MemberKind> {
  readonly name: Name;
  readonly checks: Checks;
  /** The option of `@McpServer` that holds its table. */
  readonly table: 'tools' | 'resources' | 'prompts';
  readonly tableOf: (options: McpServerOptions) => OverrideTable<OptionsOf<Name>> | undefined;
  /** The options that a table may change. */
  readonly changeable: readonly string[];
}

export const TOOL: Kind<'tool'> = {
  name: 'tool',
  checks: TOOL_CHECKS,
  table: 'tools',
  tableOf: ({ tools }) => tools,
  changeable: [
    'description',
    'title',
    'annotations',
    'input',
    'scopes',
    'sets',
    'timeoutMs',
    'maxConcurrent',
    'rateLimit',
    '_meta',
  ],
};

export const RESOURCE: Kind<'resource'> = {
  name: 'resource',
  checks: RESOURCE_CHECKS,
  table: 'resources',
  tableOf: ({ resources }) => resources,
  changeable: ['description', 'title', 'mimeType', 'annotations', 'cache', '_meta'],
};

export const PROMPT: Kind<'prompt'> = {
  name: 'prompt',
  checks: PROMPT_CHECKS,
  table: 'prompts',
  tableOf: ({ prompts }) => prompts,
  changeable: ['description', 'title', 'args', '_meta'],
};
